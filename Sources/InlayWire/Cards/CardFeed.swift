/// The cards of one user in one container at one version.
///
/// Cards name their layout by id; a layout that many cards share is sent once. Versions of one container are totally
/// ordered: a reader never replaces a newer feed with an older one.
@_spi(Inlay) public struct CardFeed: Codable, Hashable, Sendable {
    /// The id of the container.
    public var containerID: String
    /// The version, which grows with every change of what the user would see in this container.
    public var version: Int64
    /// The time of the response by the server's clock.
    public var serverTime: Timestamp
    /// Whether the user ever had a card in this container; distinguishes "awaiting the first" from "all done".
    public var hadCards: Bool
    /// The visible cards, in no particular order.
    public var cards: LossyArray<CardInstance>
    /// The layouts that the cards name, by id.
    public var layouts: [String: CardLayout]

    /// A feed with its parts.
    public init(
        containerID: String, version: Int64, serverTime: Timestamp, hadCards: Bool,
        cards: [CardInstance], layouts: [String: CardLayout]
    ) {
        self.containerID = containerID
        self.version = version
        self.serverTime = serverTime
        self.hadCards = hadCards
        self.cards = LossyArray(cards)
        self.layouts = layouts
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        containerID = try values.decode(String.self, forKey: .containerID)
        version = try values.decode(Int64.self, forKey: .version)
        serverTime = try values.decode(Timestamp.self, forKey: .serverTime)
        hadCards = try values.decodeIfPresent(Bool.self, forKey: .hadCards) ?? false
        cards = try values.decode(LossyArray<CardInstance>.self, forKey: .cards)
        let read = try values.decodeIfPresent([String: LossyValue<CardLayout>].self, forKey: .layouts) ?? [:]
        layouts = read.compactMapValues(\.value)
    }
}

/// A value, or `nil` when it cannot be decoded.
struct LossyValue<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        value = try? Value(from: decoder)
    }
}
