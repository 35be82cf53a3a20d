/// The addresses that the SDK calls when something happens to an ad. An empty one is not called.
@_spi(Inlay) public struct AdTrackers: Hashable, Sendable {
    /// Called once when the ad was shown to the user; this call is billed.
    public var view: String
    /// Called once when the user clicks the ad.
    public var click: String
    /// The addresses of all other events in the response, by event name; the SDK calls each one at its event.
    public var others: [String: String]

    /// Creates trackers.
    public init(view: String = "", click: String = "", others: [String: String] = [:]) {
        self.view = view
        self.click = click
        self.others = others
    }
}

extension AdTrackers: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Name.self)
        self.init()
        for key in values.allKeys {
            guard let address: String = values.readable(key) else { continue }
            switch key.stringValue {
            case "view": view = address
            case "click": click = address
            default: others[key.stringValue] = address
            }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Name.self)
        try values.encode(view, forKey: Name(stringValue: "view"))
        try values.encode(click, forKey: Name(stringValue: "click"))
        for (name, address) in others { try values.encode(address, forKey: Name(stringValue: name)) }
    }
}
