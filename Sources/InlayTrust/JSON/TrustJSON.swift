/// A JSON value whose names and texts are compared by their bytes.
///
/// Swift takes two texts for equal when they look alike ("é" in its two spellings). Signatures and
/// target paths are about bytes, so members are a list in order of their bytes, never a dictionary.
@_spi(Inlay) public enum TrustJSON: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case string(String)
    case array([TrustJSON])
    /// Members sorted by the bytes of their names, each name once.
    case object([Member])

    /// One name and its value.
    public struct Member: Sendable, Equatable {
        /// The member's name.
        public let name: String
        /// The member's value.
        public var value: TrustJSON

        /// A member of an object.
        public init(_ name: String, _ value: TrustJSON) { (self.name, self.value) = (name, value) }

        public static func == (left: Self, right: Self) -> Bool {
            left.name.hasSameBytes(as: right.name) && left.value == right.value
        }
    }

    /// Returns an object of members in any order; of members with one name the last stays.
    public static func members(_ members: [Member]) -> TrustJSON {
        var sorted: [Member] = []
        for member in members.enumerated().sorted(by: { left, right in
            left.element.name.hasSameBytes(as: right.element.name)
                ? left.offset < right.offset : left.element.name.precedes(right.element.name)
        }) {
            if let last = sorted.last, last.name.hasSameBytes(as: member.element.name) { sorted.removeLast() }
            sorted.append(member.element)
        }
        return .object(sorted)
    }

    /// The member of an object by the bytes of its name; `nil` for other kinds of value.
    public subscript(name: String) -> TrustJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.hasSameBytes(as: name) }?.value
    }
}

extension TrustJSON: Equatable {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        default: false
        }
    }
}

extension String {
    /// Whether both are the same UTF-8 bytes.
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// Whether the bytes of this text sort before those of the other.
    func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
