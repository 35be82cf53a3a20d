import Foundation
@_spi(Inlay) import InlayWire

/// An event as the outbox stores it: its own attributes and the row of the shared facts.
///
/// The body contains neither the id nor the time, which have columns, and no core attributes, which would double its
/// size.
struct OutboxBehavior: Hashable, Sendable {
    typealias Attribute = BehaviorEvent.Attribute

    var id: String
    var time: Timestamp
    var code: String
    /// The row of `behavior_facts`.
    var facts: Int64
    var attributes: [Attribute]

    /// The body as JSON. Not by `JSONEncoder`, which takes longer than storing the result.
    var body: Data {
        var text = JSONText(capacity: 64 + attributes.count * 48)
        text.raw(#"{"eventTypeCode":"#)
        text.string(code)
        text.raw(#","facts":"#)
        text.raw(String(facts))
        text.raw(#","attributes":"#)
        text.attributes(attributes)
        text.raw("}")
        return text.data
    }

    private struct Body: Decodable {
        var eventTypeCode: String
        var facts: Int64
        var attributes: [Attribute]
    }

    init(id: String, time: Timestamp, code: String, facts: Int64, attributes: [Attribute]) {
        (self.id, self.time, self.code, self.facts, self.attributes) = (id, time, code, facts, attributes)
    }

    init(id: String, time: Timestamp, body: Data) throws {
        let stored = try JSONDecoder().decode(Body.self, from: body)
        self.init(
            id: id, time: time, code: stored.eventTypeCode, facts: stored.facts, attributes: stored.attributes
        )
    }

    /// Returns the event as it is sent. Its own attributes replace shared ones with the same names.
    func event(_ facts: SharedFacts?, offset: Duration) -> BehaviorEvent {
        let own = Set(attributes.map(\.name))
        let shared = facts?.attributes.filter { !own.contains($0.name) } ?? []
        // When the offset of the clock was not known at the time of the event, the current offset corrects the time.
        let moment = facts?.isTimed == false ? time + offset : time
        return BehaviorEvent(
            id: id, eventTypeCode: code, eventTimestamp: moment.rfc3339, contactId: facts?.contactID,
            attributes: attributes + shared)
    }
}

/// The values that events share: the core attributes, and whether the offset of the device's clock was known.
struct SharedFacts: Codable, Hashable, Sendable {
    var attributes: [BehaviorEvent.Attribute]
    var contactID: String?
    /// Whether the server's time was known when the events happened.
    var isTimed: Bool

    private static let primaryUserID = "Primary User Id"

    /// Whether the events have a known user.
    var isUserKnown: Bool { attributes.contains { $0.name == Self.primaryUserID } }

    init(
        _ device: DeviceFacts, _ app: AppFacts, _ identity: BehaviorIdentity, deviceID: String, isTimed: Bool
    ) {
        let all = [
            ("Device Name", device.name), ("Device Version", device.version), ("OS Name", device.osName),
            ("OS Version", device.osVersion), ("App Name", app.name), ("App Version", app.version),
            ("Device Id", deviceID), (Self.primaryUserID, identity.primaryUserID),
            ("Anonymous Id", identity.anonymousID), ("Recipient Id", identity.recipientID),
        ]
        // Attributes without a value, such as those of an unknown user, are left out.
        attributes = all.filter { !$0.1.isEmpty }.map {
            BehaviorEvent.Attribute(
                name: $0.0, value: BehaviorLimits.cut($0.1))
        }
        contactID = identity.contactID.isEmpty ? nil : identity.contactID
        self.isTimed = isTimed
    }
}
