import InlayServerCore
@_spi(Inlay) import InlayWire

/// An event as senders write it: Inlay's SDK, and the documented SDKs with their known deviations.
///
/// The code may be a number; the timestamp's key may have a capital S; values may be numbers, Booleans or
/// null. A number becomes a decimal without needless zeros: `10.50` is stored as `10.5`, `1e3` as `1000`. An event of
/// any other form is refused alone, and the rest of the batch is accepted.
struct IncomingEvent: Sendable {
    var id: String?
    var code: String
    var timestamp: String?
    var contactID: String?
    var attributes: [EventAttributePair]
}

extension IncomingEvent: Decodable {
    private enum Key: String, CodingKey {
        case id, eventTypeCode, eventTimestamp, eventTimeStamp, contactId, attributes
    }

    private struct Attribute: Decodable {
        let name: String
        let value: Scalar?
    }

    /// A value as text, from a JSON string, Boolean or number.
    private struct Scalar: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(String.self) {
                text = value
            } else if let value = try? container.decode(Bool.self) {
                text = value ? "true" : "false"
            } else {
                text = try SentNumber(from: decoder).decimal.text
            }
        }
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        id = try values.decodeIfPresent(String.self, forKey: .id)
        code = try values.decode(Scalar.self, forKey: .eventTypeCode).text
        timestamp =
            try values.decodeIfPresent(String.self, forKey: .eventTimestamp)
            ?? values.decodeIfPresent(String.self, forKey: .eventTimeStamp)
        contactID = try values.decodeIfPresent(String.self, forKey: .contactId)
        attributes = try (values.decodeIfPresent([Attribute].self, forKey: .attributes) ?? []).map {
            EventAttributePair(name: $0.name, value: $0.value?.text ?? "")
        }
    }
}

/// The events of one request, in which each unreadable event is refused on its own.
struct IncomingBatch: Decodable, Sendable {
    enum Entry: Sendable {
        case event(IncomingEvent)
        /// The readable parts of an event that cannot be read as a whole.
        case unreadable(id: String, code: String)
    }

    let events: [Entry]

    private enum Key: String, CodingKey { case events }

    private struct DecodedEntry: Decodable {
        let entry: Entry

        private struct Identified: Decodable { let id: String }
        private struct Coded: Decodable { let eventTypeCode: String }

        init(from decoder: any Decoder) throws {
            do {
                entry = .event(try IncomingEvent(from: decoder))
            } catch {
                entry = .unreadable(
                    id: (try? Identified(from: decoder))?.id ?? "",
                    code: (try? Coded(from: decoder))?.eventTypeCode ?? "")
            }
        }
    }

    init(from decoder: any Decoder) throws {
        events = try decoder.container(keyedBy: Key.self)
            .decode([DecodedEntry].self, forKey: .events).map(\.entry)
    }
}
