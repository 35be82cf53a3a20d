import Foundation

/// A repair of common errors in VAST documents, before they are parsed.
enum VASTSource {
    /// Returns the document with every `&` that begins no entity as `&amp;`; CDATA and comments stay as they are.
    ///
    /// Ad servers put addresses with unescaped `&` into elements. Such a document is not well-formed XML, and without
    /// this repair the publisher would get no ad.
    static func repaired(_ document: Data) -> Data {
        document.withUnsafeBytes { raw in
            let places = bareAmpersands(raw.bindMemory(to: UInt8.self))
            guard !places.isEmpty else { return document }
            var repaired = Data(capacity: raw.count + places.count * 4)
            var start = 0
            for place in places {
                repaired.append(contentsOf: raw[start...place])
                repaired.append(contentsOf: "amp;".utf8)
                start = place + 1
            }
            repaired.append(contentsOf: raw[start...])
            return repaired
        }
    }

    /// Returns the offset of each `&` that begins no entity.
    private static func bareAmpersands(_ bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        var places: [Int] = []
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"): index = verbatimEnd(bytes, index) ?? index + 1
            case UInt8(ascii: "&"):
                if !beginsEntity(bytes, index) { places.append(index) }
                index += 1
            default: index += 1
            }
        }
        return places
    }

    /// Returns the end of the CDATA section or comment that begins at `start`; `nil` when none begins there.
    private static func verbatimEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        let closing: StaticString
        var index: Int
        if hasText("<![CDATA[", bytes, start) {
            (closing, index) = ("]]>", start + 9)
        } else if hasText("<!--", bytes, start) {
            (closing, index) = ("-->", start + 4)
        } else {
            return nil
        }
        while index < bytes.count {
            if hasText(closing, bytes, index) { return index + 3 }
            index += 1
        }
        return bytes.count
    }

    private static func hasText(
        _ text: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, _ place: Int
    ) -> Bool {
        let count = text.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        var offset = 0
        while offset < count {
            guard bytes[place + offset] == text.utf8Start[offset] else { return false }
            offset += 1
        }
        return true
    }

    private static func beginsEntity(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
        let rest = bytes[(start + 1)...].prefix(10)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return false }
        let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        if ["amp", "lt", "gt", "quot", "apos"].contains(name) { return true }
        guard name.hasPrefix("#") else { return false }
        let digits = name.dropFirst()
        if digits.hasPrefix("x") { return UInt32(digits.dropFirst(), radix: 16) != nil }
        return UInt32(digits) != nil
    }
}
