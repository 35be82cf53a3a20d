import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A fast parser for the plain form of a body, which nearly all bodies have.
///
/// The plain form is JSON in which every value is a string without escapes, every key is a documented one, in any
/// order, and every event is valid. For any other body the parser returns `nil`, and `JSONDecoder` reads the body and
/// names the errors. The parser may therefore give up on valid JSON, but must never read a body differently from
/// `JSONDecoder`.
struct EventScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let check: EventCheck
    private var position = 0
    private var attributes: [UInt8] = []

    /// Returns the rows of a body; `nil` when the body does not have the plain form.
    static func rows(in body: Data, check: EventCheck) -> [EventRow]? {
        body.withUnsafeBytes { raw in
            var scanner = EventScanner(bytes: raw.bindMemory(to: UInt8.self), check: check)
            return scanner.batch()
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, check: EventCheck) {
        self.bytes = bytes
        self.check = check
    }

    private mutating func batch() -> [EventRow]? {
        guard take("{"), let key = string(), Self.equal(key, "events"), take(":"), take("[") else {
            return nil
        }
        var rows: [EventRow] = []
        repeat {
            guard rows.count < BehaviorLimits.maximumEvents, let row = event() else { return nil }
            rows.append(row)
        } while take(",")
        guard take("]"), take("}") else { return nil }
        skipSpace()
        return position == bytes.count ? rows : nil
    }

    private typealias Span = UnsafeBufferPointer<UInt8>

    /// The fields of one event, each at most once.
    private struct Fields {
        var id: Span?
        var code: Span?
        var timestamp: Span?
        var contact: Span?
        var attributes: Attributes?
    }

    private struct Attributes {
        var text: String
        var eventName: Span?
        var goalName: Span?
        var campaign: Span?
        var primaryUser: Span?
        var anonymousUser: Span?
    }

    private mutating func event() -> EventRow? {
        guard take("{") else { return nil }
        var fields = Fields()
        repeat {
            guard let key = string(), take(":") else { return nil }
            if Self.equal(key, "attributes") {
                guard fields.attributes == nil, let list = list() else { return nil }
                fields.attributes = list
            } else if !readText(key, into: &fields) {
                return nil
            }
        } while take(",")
        return take("}") ? row(fields) : nil
    }

    private mutating func readText(_ key: Span, into fields: inout Fields) -> Bool {
        guard let value = string() else { return false }
        if Self.equal(key, "id"), fields.id == nil {
            fields.id = value
        } else if Self.equal(key, "eventTypeCode"), fields.code == nil {
            fields.code = value
        } else if Self.equal(key, "eventTimestamp"), fields.timestamp == nil {
            fields.timestamp = value
        } else if Self.equal(key, "contactId"), fields.contact == nil {
            fields.contact = value
        } else {
            return false
        }
        return true
    }

    /// Reads the array of attributes and converts it to the text of ``AttributeText``.
    private mutating func list() -> Attributes? {
        attributes.removeAll(keepingCapacity: true)
        attributes.append(UInt8(ascii: "["))
        guard take("[") else { return nil }
        var found = Attributes(text: "")
        if !take("]") {
            var count = 0
            let start = position
            repeat {
                guard count < BehaviorLimits.maximumAttributes, let (name, value) = attribute() else {
                    return nil
                }
                if count > 0 { attributes.append(UInt8(ascii: ",")) }
                append(name, value)
                note(name, value, in: &found)
                count += 1
            } while take(",")
            // The bytes read contain all names and values, so this also limits their total size.
            guard take("]"), position - start <= BehaviorLimits.maximumAttributeBytes else { return nil }
        }
        attributes.append(UInt8(ascii: "]"))
        guard let text = String(validating: attributes, as: UTF8.self) else { return nil }
        found.text = text
        return found
    }

    private mutating func attribute() -> (Span, Span)? {
        guard take("{"), let first = string(), take(":"), let one = string(), take(","),
            let second = string(), take(":"), let two = string(), take("}")
        else { return nil }
        let (name, value): (Span, Span)
        if Self.equal(first, "name"), Self.equal(second, "value") {
            (name, value) = (one, two)
        } else if Self.equal(first, "value"), Self.equal(second, "name") {
            (name, value) = (two, one)
        } else {
            return nil
        }
        guard (1...BehaviorLimits.maximumNameBytes).contains(name.count),
            value.count <= BehaviorLimits.maximumValueBytes
        else { return nil }
        return (name, value)
    }

    private mutating func append(_ name: Span, _ value: Span) {
        attributes.append(UInt8(ascii: "["))
        attributes.append(UInt8(ascii: "\""))
        attributes.append(contentsOf: name)
        attributes.append(UInt8(ascii: "\""))
        attributes.append(UInt8(ascii: ","))
        attributes.append(UInt8(ascii: "\""))
        attributes.append(contentsOf: value)
        attributes.append(UInt8(ascii: "\""))
        attributes.append(UInt8(ascii: "]"))
    }

    /// Stores the value of a known attribute. The first attribute of a name counts, as in ``EventCheck``.
    private func note(_ name: Span, _ value: Span, in found: inout Attributes) {
        switch name.count {
        case 10 where found.eventName == nil && Self.equal(name, "Event Name"): found.eventName = value
        case 9 where found.goalName == nil && Self.equal(name, "Goal Name"): found.goalName = value
        case 13 where found.campaign == nil && Self.equal(name, "Campaign Name"): found.campaign = value
        case 15 where found.primaryUser == nil && Self.equal(name, "Primary User Id"):
            found.primaryUser = value
        case 12 where found.anonymousUser == nil && Self.equal(name, "Anonymous Id"):
            found.anonymousUser = value
        default: break
        }
    }

    private func row(_ fields: Fields) -> EventRow? {
        guard let number = Self.code(fields.code), let code = EventCode(rawValue: number),
            let timestamp = fields.timestamp, timestamp.count <= 40,
            let stated = EventTimestampParser.microseconds(timestamp), check.isPlausible(stated),
            let attributes = fields.attributes
        else { return nil }
        guard let id = Self.id(fields.id, EventCheck.isID),
            let contact = Self.id(
                fields.contact?.isEmpty == true ? nil : fields.contact, IDRule.admits)
        else { return nil }
        let user =
            check.caller.userID?.rawValue ?? contact ?? Self.nonEmpty(attributes.primaryUser)
            ?? Self.nonEmpty(attributes.anonymousUser)
        let name: Span? =
            switch code {
            case .namedEvent: attributes.eventName
            case .goalAbandoned, .goalCompleted: attributes.goalName
            default: nil
            }
        return EventRow(
            id: id, userID: user.flatMap(EventCheck.userID), contactID: contact, code: number,
            name: EventCheck.indexedName(Self.nonEmpty(name) ?? ""),
            campaign: Self.nonEmpty(attributes.campaign).map(EventCheck.indexedName), happenedAt: stated,
            receivedAt: check.now, statedAt: nil, attributes: attributes.text)
    }

    // MARK: Tokens

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func take(_ letter: Unicode.Scalar) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: letter) else { return false }
        position += 1
        return true
    }

    /// Reads a string without escapes and control characters. Its UTF-8 is validated when it becomes a `String`.
    private mutating func string() -> Span? {
        guard take("\"") else { return nil }
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                defer { position += 1 }
                return Span(rebasing: bytes[start..<position])
            case UInt8(ascii: "\\"), 0..<0x20: return nil
            default: position += 1
            }
        }
        return nil
    }

    private static func equal(_ span: Span, _ text: StaticString) -> Bool {
        span.count == text.utf8CodeUnitCount
            && memcmp(span.baseAddress ?? text.utf8Start, text.utf8Start, span.count) == 0
    }

    private static func code(_ span: Span?) -> Int? {
        guard let span, span.count == 2, span.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(span[0] - 48) * 10 + Int(span[1] - 48)
    }

    private static func nonEmpty(_ span: Span?) -> String? {
        guard let span, !span.isEmpty else { return nil }
        return text(span)
    }

    /// Returns an id: the inner `nil` means that there is none, the outer one that `JSONDecoder` must read the body.
    private static func id(_ span: Span?, _ admits: (String) -> Bool) -> String?? {
        guard let span else { return .some(nil) }
        guard let text = String(validating: span, as: UTF8.self), admits(text) else { return nil }
        return text
    }

    // Only for parts of the attributes, whose UTF-8 was validated as a whole.
    private static func text(_ span: Span) -> String { String(decoding: span, as: UTF8.self) }
}
