/// A tokenizer of HTML that follows the tokenizer of the HTML standard.
///
/// A difference from a browser's parser does no harm: ``HTMLSanitizer`` writes every tag and every character anew, so
/// that text of this tokenizer is text in the page too. Comments, doctypes and processing instructions are dropped
/// here.
struct HTMLTokenizer {
    /// Elements whose content is text without markup, up to their own end tag.
    static let rawText: Set = [
        "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript",
        "plaintext",
    ]
    private static let maximumAttributes = 64

    private let bytes: [UInt8]
    private var position = 0
    private var rawEnd: String?
    /// The beginning of a tag or comment that the end of the text cuts off. The text after it is in no token.
    private(set) var unfinished: String?

    /// Creates a tokenizer at the start of the text.
    init(_ text: String) { bytes = Array(text.utf8) }

    /// Returns the tokens of a whole text.
    static func tokens(_ text: String) -> [HTMLToken] {
        var tokenizer = HTMLTokenizer(text)
        var tokens: [HTMLToken] = []
        while let token = tokenizer.next() { tokens.append(token) }
        return tokens
    }

    /// Returns the next token; `nil` at the end.
    mutating func next() -> HTMLToken? {
        while position < bytes.count {
            if let name = rawEnd { return raw(until: name) }
            guard bytes[position] == UInt8(ascii: "<") else { return text() }
            if let token = markup() { return token }
        }
        return nil
    }

    private mutating func text() -> HTMLToken {
        let start = position
        position = index(of: UInt8(ascii: "<"), from: start + 1) ?? bytes.count
        return .text(HTMLReferences.decode(bytes[start..<position]))
    }

    /// Returns the markup that begins with `<`; `nil` for markup that is dropped.
    private mutating func markup() -> HTMLToken? {
        let next = position + 1 < bytes.count ? bytes[position + 1] : 0
        switch next {
        case UInt8(ascii: "!"), UInt8(ascii: "?"):
            declaration()
            return nil
        case UInt8(ascii: "/"): return endTag()
        case _ where Self.isLetter(next): return startTag()
        default:
            let start = position
            position = index(of: UInt8(ascii: "<"), from: start + 1) ?? bytes.count
            return .text(HTMLReferences.decode(bytes[start..<position]))
        }
    }

    private mutating func declaration() {
        guard starts(with: "<!--") else {
            return skip(pastEndOf: starts(with: "<?") ? "<?" : "<!")
        }
        position += 4
        // `<!-->` and `<!--->` are whole comments.
        if starts(with: ">") || starts(with: "->") {
            position = (index(of: UInt8(ascii: ">"), from: position) ?? bytes.count - 1) + 1
            return
        }
        while position < bytes.count {
            if starts(with: "-->") {
                position += 3
                return
            }
            if starts(with: "--!>") {
                position += 4
                return
            }
            position += 1
        }
        finish(in: "<!--")
    }

    /// Skips everything up to the next `>`, which is included.
    private mutating func skip(pastEndOf markup: String) {
        guard let end = index(of: UInt8(ascii: ">"), from: position) else { return finish(in: markup) }
        position = end + 1
    }

    /// Ends the tokens, because the text ends within markup.
    private mutating func finish(in markup: String) {
        position = bytes.count
        unfinished = markup
    }

    private mutating func endTag() -> HTMLToken? {
        guard position + 2 < bytes.count, Self.isLetter(bytes[position + 2]) else {
            skip(pastEndOf: "</")
            return nil
        }
        position += 2
        let name = tagName()
        if attributes() == nil { finish(in: "</\(name)") }
        return .end(name)
    }

    private mutating func startTag() -> HTMLToken? {
        position += 1
        let name = tagName()
        guard let attributes = attributes() else {
            finish(in: "<\(name)")
            return nil
        }
        if Self.rawText.contains(name) { rawEnd = name }
        return .start(name, attributes)
    }

    private mutating func tagName() -> String {
        let start = position
        while position < bytes.count, !Self.isSpace(bytes[position]), bytes[position] != UInt8(ascii: "/"),
            bytes[position] != UInt8(ascii: ">")
        { position += 1 }
        return Self.lower(bytes[start..<position])
    }

    /// Reads the attributes of a tag and its `>`; returns `nil` when the text ends before the `>`.
    private mutating func attributes() -> [HTMLAttribute]? {
        var found: [HTMLAttribute] = []
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: ">") {
                position += 1
                return found
            }
            if Self.isSpace(byte) || byte == UInt8(ascii: "/") {
                position += 1
                continue
            }
            let attribute = attribute()
            if found.count < Self.maximumAttributes, !found.contains(where: { $0.name == attribute.name }) {
                found.append(attribute)
            }
        }
        return nil
    }

    private mutating func attribute() -> HTMLAttribute {
        let start = position
        // A `=` in the first place belongs to the name.
        position += 1
        while position < bytes.count, !Self.isSpace(bytes[position]), bytes[position] != UInt8(ascii: "/"),
            bytes[position] != UInt8(ascii: ">"), bytes[position] != UInt8(ascii: "=")
        { position += 1 }
        let name = Self.lower(bytes[start..<position])
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
            return HTMLAttribute(name: name, value: "")
        }
        position += 1
        skipSpace()
        return HTMLAttribute(name: name, value: value())
    }

    private mutating func value() -> String {
        guard position < bytes.count else { return "" }
        let quote = bytes[position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let start = position
            while position < bytes.count, !Self.isSpace(bytes[position]), bytes[position] != UInt8(ascii: ">")
            {
                position += 1
            }
            return HTMLReferences.decode(bytes[start..<position])
        }
        let start = position + 1
        let end = index(of: quote, from: start) ?? bytes.count
        position = min(end + 1, bytes.count)
        return HTMLReferences.decode(bytes[start..<end])
    }

    /// Returns the content of an element of ``rawText``, up to its end tag.
    private mutating func raw(until name: String) -> HTMLToken {
        rawEnd = nil
        let start = position
        var end = bytes.count
        while let candidate = index(of: UInt8(ascii: "<"), from: position) {
            position = candidate + 1
            if isEndTag(name, at: candidate) {
                end = candidate
                break
            }
        }
        position = end
        return .text(String(decoding: bytes[start..<end], as: UTF8.self))
    }

    private func isEndTag(_ name: String, at place: Int) -> Bool {
        let after = place + 2 + name.utf8.count
        guard name != "plaintext", after < bytes.count, bytes[place + 1] == UInt8(ascii: "/"),
            Self.lower(bytes[place + 2..<after]) == name
        else { return false }
        return Self.isSpace(bytes[after]) || bytes[after] == UInt8(ascii: "/")
            || bytes[after] == UInt8(ascii: ">")
    }

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    private func index(of byte: UInt8, from start: Int) -> Int? {
        start < bytes.count ? bytes[start...].firstIndex(of: byte) : nil
    }

    private func starts(with text: StaticString) -> Bool {
        bytes[position...].starts(with: text.description.utf8)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func lower(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
