import Foundation
@_spi(Inlay) import InlayWire

/// A writer of JSON into bytes.
struct JSONText {
    private var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    var data: Data { Data(bytes) }

    /// Adds a text that is already JSON.
    mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Adds a string with its quotes.
    mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                let hex = Array("0123456789abcdef".utf8)
                bytes.append(contentsOf: Array("\\u00".utf8))
                bytes.append(hex[Int(byte >> 4)])
                bytes.append(hex[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds a list of names with values.
    mutating func attributes(_ attributes: [BehaviorEvent.Attribute]) {
        raw("[")
        for (index, attribute) in attributes.enumerated() {
            raw(index == 0 ? #"{"name":"# : #",{"name":"#)
            string(attribute.name)
            raw(#","value":"#)
            string(attribute.value)
            raw("}")
        }
        raw("]")
    }

    /// Adds an event as it is sent to the server.
    mutating func event(_ event: BehaviorEvent) {
        raw(#"{"id":"#)
        string(event.id)
        raw(#","eventTypeCode":"#)
        string(event.eventTypeCode)
        raw(#","eventTimestamp":"#)
        string(event.eventTimestamp)
        if let contact = event.contactId {
            raw(#","contactId":"#)
            string(contact)
        }
        raw(#","attributes":"#)
        attributes(event.attributes)
        raw("}")
    }
}
