/// The conversion of an `Encodable` value to the dictionaries, arrays and scalars that Mustache reads.
///
/// Without it, Mustache would use reflection, which is much slower. Mustache also looks up a missing member in the
/// outer values; therefore templates write `.name` for members that may be missing.
enum TemplateModel {
    static func make(_ value: some Encodable) throws -> Any {
        let box = Box()
        try TemplateEncoder(box: box).encodeValue(value)
        return box.resolved
    }

    /// The result of an encoder: one scalar, or members, or elements.
    final class Box {
        var scalar: Any?
        var members: [String: Box]?
        var elements: [Box]?

        var resolved: Any {
            if let members { return members.mapValues(\.resolved) as [String: Any] }
            if let elements { return elements.map(\.resolved) as [Any] }
            return scalar ?? [String: Any]()
        }
    }
}

private struct TemplateEncoder: Encoder {
    let box: TemplateModel.Box
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if box.members == nil { box.members = [:] }
        return KeyedEncodingContainer(Members<Key>(box: box))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if box.elements == nil { box.elements = [] }
        return Elements(box: box)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Scalar(box: box) }

    func encodeValue(_ value: some Encodable) throws {
        switch value {
        case let scalar as String: box.scalar = scalar
        case let scalar as Bool: box.scalar = scalar
        case let scalar as any BinaryInteger & Encodable: box.scalar = scalar
        case let scalar as any BinaryFloatingPoint & Encodable: box.scalar = scalar
        default: try value.encode(to: self)
        }
    }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let box: TemplateModel.Box
    var codingPath: [any CodingKey] { [] }

    private func child(_ key: String) -> TemplateModel.Box {
        let child = TemplateModel.Box()
        box.members?[key] = child
        return child
    }

    mutating func encodeNil(forKey key: Key) throws {}

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try TemplateEncoder(box: child(key.stringValue)).encodeValue(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        TemplateEncoder(box: child(key.stringValue)).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        TemplateEncoder(box: child(key.stringValue)).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { TemplateEncoder(box: child("super")) }
    mutating func superEncoder(forKey key: Key) -> any Encoder {
        TemplateEncoder(box: child(key.stringValue))
    }
}

private struct Elements: UnkeyedEncodingContainer {
    let box: TemplateModel.Box
    var codingPath: [any CodingKey] { [] }
    var count: Int { box.elements?.count ?? 0 }

    private func child() -> TemplateModel.Box {
        let child = TemplateModel.Box()
        box.elements?.append(child)
        return child
    }

    mutating func encodeNil() throws {}

    mutating func encode<T: Encodable>(_ value: T) throws {
        try TemplateEncoder(box: child()).encodeValue(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        TemplateEncoder(box: child()).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        TemplateEncoder(box: child()).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { TemplateEncoder(box: child()) }
}

private struct Scalar: SingleValueEncodingContainer {
    let box: TemplateModel.Box
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() throws {}
    mutating func encode<T: Encodable>(_ value: T) throws { try TemplateEncoder(box: box).encodeValue(value) }
    mutating func encode(_ value: String) throws { box.scalar = value }
    mutating func encode(_ value: Bool) throws { box.scalar = value }
    mutating func encode(_ value: Int) throws { box.scalar = value }
    mutating func encode(_ value: Int8) throws { box.scalar = value }
    mutating func encode(_ value: Int16) throws { box.scalar = value }
    mutating func encode(_ value: Int32) throws { box.scalar = value }
    mutating func encode(_ value: Int64) throws { box.scalar = value }
    mutating func encode(_ value: UInt) throws { box.scalar = value }
    mutating func encode(_ value: UInt8) throws { box.scalar = value }
    mutating func encode(_ value: UInt16) throws { box.scalar = value }
    mutating func encode(_ value: UInt32) throws { box.scalar = value }
    mutating func encode(_ value: UInt64) throws { box.scalar = value }
    mutating func encode(_ value: Double) throws { box.scalar = value }
    mutating func encode(_ value: Float) throws { box.scalar = value }
}
