public import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

extension XMLTree {
    /// Reads a document; its root.
    ///
    /// Refused without parsing: whatever is larger or deeper than the limits, is not UTF-8, has a
    /// document type, a processing instruction or an entity of its own. Nothing is ever fetched.
    public init(reading document: Data, limits: XMLLimits = XMLLimits()) throws(XMLError) {
        guard document.count <= limits.bytes else { throw XMLError(.tooMuch("\(document.count) bytes")) }
        let bytes = try Self.plainUTF8(document)
        var scan = XMLScan(bytes, limits: limits)
        try scan.run()
        self = try Self.parsed(Data(bytes), limits)
    }

    /// Reads a document from a text.
    public init(reading document: String, limits: XMLLimits = XMLLimits()) throws(XMLError) {
        try self.init(reading: Data(document.utf8), limits: limits)
    }

    private static func plainUTF8(_ document: Data) throws(XMLError) -> [UInt8] {
        if let name = foreignEncoding(document.prefix(4)) { throw XMLError(.encoding(name), line: 1) }
        guard String(data: document, encoding: .utf8) != nil else {
            throw XMLError(.encoding("bytes that are no UTF-8"))
        }
        var bytes = document[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        // White space in front of a declaration is common in the wild, and an error for the parser.
        return Array(bytes.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D })
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

    private static func parsed(_ document: Data, _ limits: XMLLimits) throws(XMLError) -> XMLTree {
        let parser = XMLParser(data: document)
        let builder = XMLTreeBuilder(limits: limits)
        parser.delegate = builder
        parser.shouldResolveExternalEntities = false
        let isWhole = parser.parse()
        if let excess = builder.excess { throw excess }
        guard isWhole, let root = builder.root else {
            let error = parser.parserError.map { "error \(($0 as NSError).code)" } ?? "no root"
            throw XMLError(.malformed(error), line: max(parser.lineNumber, 1))
        }
        return root
    }
}
