public import Foundation

extension XMLTree {
    /// Reads a document in UTF-8, or in UTF-16 with a byte order mark, and creates its root.
    ///
    /// Refuses, without parsing, a document that exceeds the limits, is in another encoding, or has a document type, a
    /// processing instruction or an entity of its own. A style sheet's instruction before the root is skipped. Nothing
    /// is ever fetched. `repairing` changes the document as UTF-8 before the check; the limits apply before and after
    /// it.
    public init(
        reading document: Data, limits: XMLLimits = XMLLimits(), repairing: (Data) -> Data = { $0 }
    ) throws(XMLError) {
        try Self.check(document, limits)
        let repaired = repairing(try Self.utf8(document))
        try Self.check(repaired, limits)
        guard String(data: repaired, encoding: .utf8) != nil else {
            throw XMLError(.encoding("bytes that are no UTF-8"))
        }
        self = try repaired.withUnsafeBytes { raw -> Result<XMLTree, XMLError> in
            Self.tree(raw.bindMemory(to: UInt8.self), limits)
        }.get()
    }

    /// Reads a document from a text.
    public init(reading document: String, limits: XMLLimits = XMLLimits()) throws(XMLError) {
        try self.init(reading: Data(document.utf8), limits: limits)
    }

    private static func check(_ document: Data, _ limits: XMLLimits) throws(XMLError) {
        guard document.count <= limits.bytes else { throw XMLError(.tooMuch("\(document.count) bytes")) }
    }

    /// Returns the document as UTF-8, so that the check finds every `<!`, which it would miss in the bytes of UTF-16.
    private static func utf8(_ document: Data) throws(XMLError) -> Data {
        if document.starts(with: [0x4C, 0x6F, 0xA7, 0x94]) { throw XMLError(.encoding("EBCDIC"), line: 1) }
        do { return try TextFile.utf8(document) } catch { throw XMLError(.encoding(error.found), line: 1) }
    }

    private static func tree(
        _ bytes: UnsafeBufferPointer<UInt8>, _ limits: XMLLimits
    ) -> Result<XMLTree, XMLError> {
        // White space often precedes a declaration.
        let space = bytes.prefix { XMLPrecheck.isSpace($0) }
        let document = UnsafeBufferPointer(rebasing: bytes[space.endIndex...])
        return Result<XMLTree, XMLError> { () throws(XMLError) in
            var precheck = XMLPrecheck(document, limits: limits)
            try precheck.run()
            var parser = XMLTreeParser(document, limits: limits)
            return try parser.document()
        }
        .mapError { error in
            let linesInFront = space.count { $0 == UInt8(ascii: "\n") }
            return XMLError(error.kind, line: error.line.map { $0 + linesInFront })
        }
    }
}
