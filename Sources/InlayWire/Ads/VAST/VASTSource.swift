import Foundation

/// Mends what documents in the wild get wrong, before they are parsed.
enum VASTSource {
    /// The document with every `&` that begins no entity written as `&amp;`; CDATA and comments stay as they are.
    ///
    /// Ad servers put addresses with `&` into elements without escaping them. Foundation's parser refuses the whole
    /// document for one of them, and the publisher would go without an ad.
    static func mended(_ document: Data) -> Data {
        guard document.contains(UInt8(ascii: "&")) else { return document }
        let bytes = [UInt8](document)
        var mended: [UInt8] = []
        mended.reserveCapacity(bytes.count + 256)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<"), let end = verbatimEnd(bytes, index) {
                mended.append(contentsOf: bytes[index..<end])
                index = end
                continue
            }
            mended.append(bytes[index])
            if bytes[index] == UInt8(ascii: "&"), !beginsEntity(bytes, index) {
                mended.append(contentsOf: "amp;".utf8)
            }
            index += 1
        }
        return Data(mended)
    }

    /// The end of a CDATA section or comment that begins here.
    private static func verbatimEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
        for (opening, closing) in [("<![CDATA[", "]]>"), ("<!--", "-->")] {
            let opening = Array(opening.utf8)
            guard bytes[start...].starts(with: opening) else { continue }
            let closing = Array(closing.utf8)
            var index = start + opening.count
            while index + closing.count <= bytes.count {
                if bytes[index] == closing[0], bytes[index + 1] == closing[1], bytes[index + 2] == closing[2]
                {
                    return index + closing.count
                }
                index += 1
            }
            return bytes.count
        }
        return nil
    }

    private static func beginsEntity(_ bytes: [UInt8], _ start: Int) -> Bool {
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
