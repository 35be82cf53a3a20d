import InlayWire

/// An object of OpenRTB that can be read and written.
package protocol RTBObject: Hashable, Sendable {
    /// What is agreed between the two sides beyond the specification; the last field of every object.
    var ext: JSONValue? { get set }

    /// With nothing in it.
    init()

    /// Tells every field but `ext` once, in the order in which they are written.
    ///
    /// The reader and the writer both go through it, so a field cannot be read and then forgotten in writing.
    mutating func fields<Fields: RTBFields>(_ fields: inout Fields)
}

/// What goes through the fields of an object.
package protocol RTBFields {
    mutating func text(_ name: StaticString, _ value: inout String?)
    /// A text that must be there; empty when it is not.
    mutating func needed(_ name: StaticString, _ value: inout String)
    mutating func integer(_ name: StaticString, _ value: inout Int?)
    mutating func double(_ name: StaticString, _ value: inout Double?)
    /// Money, in millionths.
    mutating func micros(_ name: StaticString, _ value: inout Int64?)
    mutating func texts(_ name: StaticString, _ value: inout [String]?)
    mutating func integers(_ name: StaticString, _ value: inout [Int]?)
    /// A value that we pass on as it is.
    mutating func json(_ name: StaticString, _ value: inout JSONValue?)
    mutating func object<Object: RTBObject>(_ name: StaticString, _ value: inout Object?)
    /// Left out when empty, unless it is needed.
    mutating func objects<Object: RTBObject>(_ name: StaticString, _ value: inout [Object])
}
