@_spi(Inlay) package import InlayWire

/// An object of OpenRTB that can be read and written.
package protocol RTBObject: Hashable, Sendable {
    /// Extensions that exchange and bidder have agreed on; the last field of every object.
    var ext: JSONValue? { get set }
    /// Whether every field that the document had could be read; only a bid stores it, other objects ignore it.
    var isFullyRead: Bool { get set }

    /// Creates an object without values.
    init()

    /// Visits every field but `ext` once, in the order in which they are written.
    ///
    /// The reader and the writer both use it, so a field that is read is also written.
    mutating func fields<Fields: RTBFields>(_ fields: inout Fields)
}

extension RTBObject {
    package var isFullyRead: Bool {
        get { true }
        set {}
    }
}

/// A visitor of an object's fields: the reader or the writer.
package protocol RTBFields {
    mutating func text(_ name: StaticString, _ value: inout String?)
    /// A required string; empty when it is missing.
    mutating func requiredText(_ name: StaticString, _ value: inout String)
    mutating func integer(_ name: StaticString, _ value: inout Int?)
    mutating func double(_ name: StaticString, _ value: inout Double?)
    /// Money, in millionths.
    mutating func micros(_ name: StaticString, _ value: inout Int64?)
    mutating func texts(_ name: StaticString, _ value: inout [String]?)
    mutating func integers(_ name: StaticString, _ value: inout [Int]?)
    /// Any JSON value, kept unchanged.
    mutating func json(_ name: StaticString, _ value: inout JSONValue?)
    mutating func object<Object: RTBObject>(_ name: StaticString, _ value: inout Object?)
    /// An array of objects; not written when it is empty.
    mutating func objects<Object: RTBObject>(_ name: StaticString, _ value: inout [Object])
}
