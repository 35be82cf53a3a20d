import InlaySQL
@_spi(Inlay) import InlayWire

/// A builder of a feed's JSON from parts that are JSON already.
///
/// Decoding and encoding twenty cards again would cost more than reading them. Every part is either a
/// number, an id that needs no escaping, or text that a `JSONEncoder` made; a test compares the result
/// with that of a `JSONEncoder`.
struct FeedJSON {
    private let head: String
    private var cards = ""
    private var layouts = ""
    private var addedLayouts: Set<String> = []

    /// Creates a feed without cards. The container's id must need no escaping.
    init(containerID: CardContainerID, version: Int64, serverTime: Timestamp, hadCards: Bool) {
        head = """
            {"containerID":"\(containerID)","version":\(version),"serverTime":\(serverTime.microseconds),\
            "hadCards":\(hadCards)
            """
        cards.reserveCapacity(8_192)
    }

    /// Adds a card that is shown now.
    mutating func add(_ row: SQLRow) throws {
        if !cards.isEmpty { cards += "," }
        cards += "{\"id\":\""
        cards += try row.text("card_id")
        cards += "\",\"status\":\"active\",\"createdAt\":"
        cards += String(try row.int64("created_at"))
        cards += ",\"updatedAt\":"
        cards += String(try row.int64("updated_at"))
        cards += ",\"activeAt\":"
        cards += String(try row.int64("active_at"))
        if let expiry = try row.optionalInt64("expires_at") {
            cards += ",\"expiresAt\":"
            cards += String(expiry)
        }
        cards += try row.bool("is_seen") ? ",\"isSeen\":true," : ",\"isSeen\":false,"
        // The payload is an object with at least one member: without its opening brace, its members continue
        // the card's object.
        cards += try row.text("payload").dropFirst()
    }

    /// Adds a layout, unless it was added before.
    mutating func addLayout(_ templateID: CardTemplateID, _ version: Int64, _ json: () throws -> String?)
        throws
    {
        let id = templateID.layoutID(version)
        guard addedLayouts.insert(id).inserted, let text = try json() else { return }
        if !layouts.isEmpty { layouts += "," }
        layouts += "\"\(id)\":"
        layouts += text
    }

    /// The whole feed.
    var text: String { "\(head),\"cards\":[\(cards)],\"layouts\":{\(layouts)}}" }
}
