public import Foundation
@_spi(Inlay) package import InlayCards

/// A filter value combined with an operator; made by `AACCardListFilter`.
public final class AACCardFilter: NSObject {
    let filter: CardFilter

    init(_ filter: CardFilter) { self.filter = filter }
}

extension AACCardFilter {
    /// The filters that the engine applies; `nil` and an empty list both mean none.
    package static func engine(_ filters: [AACCardFilter]?) -> [CardFilter] { (filters ?? []).map(\.filter) }
}
