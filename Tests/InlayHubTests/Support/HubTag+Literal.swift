@testable import InlayHub

extension HubTag: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}

extension HubTagCounts {
    init(byText counts: [String: Int]) {
        self.init(Dictionary(uniqueKeysWithValues: counts.map { (HubTag($0.key), $0.value) }))
    }
}
