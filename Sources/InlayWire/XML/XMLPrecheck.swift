/// A check of a document's bytes before they are parsed.
///
/// A document could declare entities that expand to gigabytes, or be nested without limit. This check refuses such a
/// document; it only counts, and builds nothing.
struct XMLPrecheck {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let limits: XMLLimits
    private var index = 0
    private var depth = 0
    private var elements = 0

    /// The text must be valid UTF-8 without a byte order mark, and must stay in place during the check.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: XMLLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func run() throws(XMLError) {
        try declaration()
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"): try markup()
            case UInt8(ascii: "&"): try reference()
            default:
                guard depth > 0 || Self.isSpace(bytes[index]) else {
                    throw fault(.malformed("text outside of the root"))
                }
                try skipCharacter()
            }
        }
        guard elements > 0 else { throw XMLError(.empty) }
        guard depth == 0 else { throw fault(.malformed("\(depth) elements are not closed")) }
    }

    private mutating func declaration() throws(XMLError) {
        guard starts(with: "<?xml"), bytes.count > 5, Self.isSpace(bytes[5]) else { return }
        guard let end = find("?>") else { throw fault(.malformed("the declaration has no end")) }
        let text = String(decoding: bytes[..<end], as: UTF8.self)
        if let name = Self.encoding(in: text), !XMLEncodingName.isRead(name) {
            throw fault(.encoding(String(name).prefix(scalars: 32)))
        }
        index = end + 2
    }

    private mutating func markup() throws(XMLError) {
        if starts(with: "<!--") {
            try skip(past: "-->", from: 4)
        } else if starts(with: "<![CDATA[") {
            guard depth > 0 else { throw fault(.malformed("a CDATA section outside of the root")) }
            try skip(past: "]]>", from: 9)
        } else if starts(with: "<!") {
            throw fault(.documentType)
        } else if isStyleSheetInstruction {
            try skip(past: "?>", from: 16)
        } else if starts(with: "<?") {
            throw fault(.processingInstruction)
        } else {
            try tag()
        }
    }

    /// Whether `<?xml-stylesheet …?>` stands here before the root. Only browsers follow it; other instructions could
    /// have any meaning.
    private var isStyleSheetInstruction: Bool {
        guard elements == 0, starts(with: "<?xml-stylesheet"), index + 16 < bytes.count else { return false }
        return Self.isSpace(bytes[index + 16]) || bytes[index + 16] == UInt8(ascii: "?")
    }

    private mutating func tag() throws(XMLError) {
        let start = index
        let isEnd = starts(with: "</")
        var attributes = 0
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
            switch bytes[index] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): try quoted()
            case UInt8(ascii: "="):
                attributes += 1
                index += 1
            case UInt8(ascii: "<"): throw fault(.malformed("< inside of a tag"))
            default: try skipCharacter()
            }
            guard index - start <= limits.tagBytes else { throw fault(.tooMuch("a tag's bytes")) }
        }
        guard index < bytes.count else { throw fault(.malformed("a tag has no end")) }
        guard attributes <= limits.attributes else { throw fault(.tooMuch("attributes of one element")) }
        let closesItself = bytes[index - 1] == UInt8(ascii: "/") && !isEnd
        index += 1
        try count(isEnd: isEnd, closesItself: closesItself)
    }

    private mutating func count(isEnd: Bool, closesItself: Bool) throws(XMLError) {
        if isEnd {
            depth -= 1
            guard depth >= 0 else { throw fault(.malformed("an end without a start")) }
            return
        }
        guard depth > 0 || elements == 0 else { throw fault(.malformed("a second root")) }
        elements += 1
        guard elements <= limits.elements else { throw fault(.tooMuch("elements")) }
        guard depth < limits.depth else { throw fault(.tooMuch("elements inside of each other")) }
        if !closesItself { depth += 1 }
    }

    private mutating func quoted() throws(XMLError) {
        let quote = bytes[index]
        let start = index
        index += 1
        while index < bytes.count, bytes[index] != quote {
            if bytes[index] == UInt8(ascii: "&") { try reference() } else { try skipCharacter() }
            guard index - start <= limits.tagBytes else { throw fault(.tooMuch("a tag's bytes")) }
        }
        guard index < bytes.count else { throw fault(.malformed("an attribute has no end")) }
        index += 1
    }

    /// Skips a reference such as `&name;` or `&#10;`; throws for an entity that XML does not define.
    private mutating func reference() throws(XMLError) {
        let start = index + 1
        let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
        let isKnown = (["amp;", "lt;", "gt;", "quot;", "apos;", "#"] as [StaticString]).contains {
            starts(with: $0, at: start)
        }
        guard let end, isKnown else {
            throw fault(.entity(String(decoding: bytes[start..<(end ?? start)], as: UTF8.self)))
        }
        index = end + 1
    }

    private mutating func skipCharacter() throws(XMLError) {
        let byte = bytes[index]
        guard byte >= 0x20 || Self.isSpace(byte) else { throw fault(.character(UInt32(byte))) }
        index += 1
    }

    private mutating func skip(past mark: StaticString, from start: Int) throws(XMLError) {
        let first = index + start
        guard first <= bytes.count, let end = find(mark, from: first) else {
            throw fault(.malformed("a comment, CDATA section or instruction has no end"))
        }
        for place in first..<end where bytes[place] < 0x20 && !Self.isSpace(bytes[place]) {
            throw fault(.character(UInt32(bytes[place])))
        }
        index = end + mark.utf8CodeUnitCount
    }

    private func starts(with text: StaticString, at place: Int? = nil) -> Bool {
        let place = place ?? index
        let length = text.utf8CodeUnitCount
        guard place + length <= bytes.count else { return false }
        var offset = 0
        while offset < length {
            guard bytes[place + offset] == text.utf8Start[offset] else { return false }
            offset += 1
        }
        return true
    }

    private func find(_ text: StaticString, from start: Int = 0) -> Int? {
        var place = start
        while place + text.utf8CodeUnitCount <= bytes.count {
            if starts(with: text, at: place) { return place }
            place += 1
        }
        return nil
    }

    private func fault(_ kind: XMLError.Kind) -> XMLError {
        let end = min(index, bytes.count)
        return XMLError(kind, line: 1 + bytes[..<end].count { $0 == UInt8(ascii: "\n") })
    }

    private static func encoding(in declaration: String) -> Substring? {
        guard let place = declaration.range(of: "encoding") else { return nil }
        let value = declaration[place.upperBound...].drop { $0 != "\"" && $0 != "'" }
        guard let quote = value.first else { return nil }
        return value.dropFirst().prefix { $0 != quote }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}

/// The names of encodings that a document may declare.
///
/// When a declaration is read, its bytes are known to be UTF-8, either unchanged or decoded from UTF-16 by their byte
/// order mark. So a document may declare either of the two, or US-ASCII, which is a part of UTF-8. With any other name,
/// the text after the declaration would be decoded wrongly.
enum XMLEncodingName {
    // In lower case; the aliases are those of the IANA registry and of the Encoding Standard.
    private static let read: Set<String> = [
        "utf-8", "utf8", "csutf8", "unicode-1-1-utf-8",
        "utf-16", "utf16", "utf-16le", "utf-16be", "csutf16", "csutf16le", "csutf16be",
        "us-ascii", "ascii", "us", "iso646-us", "iso_646.irv:1991", "iso-ir-6", "ansi_x3.4-1968",
        "ansi_x3.4-1986", "ibm367", "cp367", "csascii",
    ]

    /// Whether a document that declares this encoding is read; case does not count.
    static func isRead(_ name: some StringProtocol) -> Bool { read.contains(name.lowercased()) }
}
