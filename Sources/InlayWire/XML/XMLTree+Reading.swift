public import Foundation

extension XMLTree {
    /// Reads a document; its root.
    ///
    /// Refused without parsing: whatever is larger or deeper than the limits, is not UTF-8, has a
    /// document type, a processing instruction or an entity of its own. Nothing is ever fetched.
    public init(reading document: Data, limits: XMLLimits = XMLLimits()) throws(XMLError) {
        guard document.count <= limits.bytes else { throw XMLError(.tooMuch("\(document.count) bytes")) }
        if let name = Self.foreignEncoding(document.prefix(4)) { throw XMLError(.encoding(name), line: 1) }
        guard String(data: document, encoding: .utf8) != nil else {
            throw XMLError(.encoding("bytes that are no UTF-8"))
        }
        self = try document.withUnsafeBytes { raw -> Result<XMLTree, XMLError> in
            Self.tree(Self.plain(raw.bindMemory(to: UInt8.self)), limits)
        }.get()
    }

    /// Reads a document from a text.
    public init(reading document: String, limits: XMLLimits = XMLLimits()) throws(XMLError) {
        try self.init(reading: Data(document.utf8), limits: limits)
    }

    private static func tree(
        _ bytes: UnsafeBufferPointer<UInt8>, _ limits: XMLLimits
    ) -> Result<XMLTree, XMLError> {
        Result { () throws(XMLError) in
            var scan = XMLScan(bytes, limits: limits)
            try scan.run()
            var parser = XMLTreeParser(bytes, limits: limits)
            return try parser.document()
        }
    }

    /// Without a byte order mark, and without the white space in front of a declaration that is common in the wild.
    private static func plain(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < bytes.count, XMLScan.isSpace(bytes[start]) { start += 1 }
        return UnsafeBufferPointer(rebasing: bytes[start...])
    }

    // A document in UTF-16 would pass a look for `<!` in its bytes, and the parser would read it.
    private static func foreignEncoding(_ start: Data) -> String? {
        switch Array(start) {
        case let bytes where bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]):
            "UTF-16 or UTF-32"
        case let bytes where bytes.contains(0): "UTF-16 or UTF-32"
        case let bytes where bytes.starts(with: [0x4C, 0x6F, 0xA7, 0x94]): "EBCDIC"
        default: nil
        }
    }
}
