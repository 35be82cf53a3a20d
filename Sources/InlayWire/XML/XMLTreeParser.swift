/// A parser for documents that passed ``XMLPrecheck``.
///
/// Written in Swift, so that no C library reads untrusted bytes, and so that the tree is built while parsing. Names and
/// attributes are kept as the document writes them, with their prefixes.
struct XMLTreeParser {
    private struct OpenElement {
        var tree: XMLTree
        var textBytes = 0
        var hasElements = false
        /// White space that is not classified yet: between elements it is layout, alone it is text.
        var space: Range<Int>?
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let limits: XMLLimits
    private var index = 0
    private var open: [OpenElement] = []
    private var root: XMLTree?

    /// The bytes must be valid UTF-8 and must stay in place during parsing.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: XMLLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func document() throws(XMLError) -> XMLTree {
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<") else {
                try text()
                continue
            }
            switch peek(1) {
            case UInt8(ascii: "/"): try endTag()
            case UInt8(ascii: "!"):
                if peek(2) == UInt8(ascii: "[") { try cdata() } else { try skip(past: "-->") }
            case UInt8(ascii: "?"): try skip(past: "?>")
            default: try startTag()
            }
        }
        guard open.isEmpty, let root else { throw fault("an element is not closed") }
        return root
    }

    // MARK: Tags

    private mutating func startTag() throws(XMLError) {
        index += 1
        var tree = XMLTree(try name())
        while true {
            let hadSpace = skipSpace()
            switch peek() {
            case UInt8(ascii: ">"):
                index += 1
                open.append(OpenElement(tree: tree))
                return
            case UInt8(ascii: "/"):
                guard peek(1) == UInt8(ascii: ">") else { throw fault("a tag does not end") }
                index += 2
                return close(tree)
            default:
                guard hadSpace else { throw fault("no space in front of an attribute") }
                let name = try name()
                let value = try attributeValue()
                guard tree.attributes.updateValue(value, forKey: name) == nil else {
                    throw fault("the attribute \(name.prefix(scalars: 32)) stands twice")
                }
            }
        }
    }

    private mutating func endTag() throws(XMLError) {
        index += 2
        let name = try name()
        _ = skipSpace()
        guard peek() == UInt8(ascii: ">") else { throw fault("a tag does not end") }
        index += 1
        guard var done = open.popLast(), done.tree.name == name else {
            throw fault("the end of \(name.prefix(scalars: 32)) does not stand where it began")
        }
        if done.hasElements {
            done.tree.dropLayout()
        } else if let space = done.space {
            done.tree.nodes.append(.text(try decoded(space)))
        }
        close(done.tree)
    }

    private mutating func close(_ tree: XMLTree) {
        guard let last = open.indices.last else {
            root = tree
            return
        }
        open[last].space = nil
        open[last].hasElements = true
        open[last].tree.nodes.append(.element(tree))
    }

    private mutating func attributeValue() throws(XMLError) -> String {
        _ = skipSpace()
        guard peek() == UInt8(ascii: "=") else { throw fault("an attribute without a value") }
        index += 1
        _ = skipSpace()
        let quote = peek()
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw fault("an attribute without quotation marks")
        }
        let start = index + 1
        guard let end = bytes[start...].firstIndex(of: quote) else {
            throw fault("an attribute has no end")
        }
        index = end + 1
        return try decoded(start..<end, isAttribute: true)
    }

    private mutating func name() throws(XMLError) -> String {
        let start = index
        while index < bytes.count, Self.isName(bytes[index], isFirst: index == start) { index += 1 }
        guard index > start else {
            throw XMLError(.name(String(decoding: rest(16), as: UTF8.self)), line: line)
        }
        return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
    }

    // MARK: Text

    private mutating func text() throws(XMLError) {
        let start = index
        var isSpace = true
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") {
            if bytes[index] == UInt8(ascii: "]"), peek(1) == UInt8(ascii: "]"), peek(2) == UInt8(ascii: ">") {
                throw fault("]]> in a text")
            }
            isSpace = isSpace && XMLPrecheck.isSpace(bytes[index])
            index += 1
        }
        guard let top = open.indices.last else { return }
        if isSpace {
            if case .text = open[top].tree.nodes.last {
                try add(start..<index, top)
            } else if open[top].space == nil {
                open[top].space = start..<index
            }
        } else {
            try add(start..<index, top)
        }
    }

    // A comment may stand in the middle of one text.
    private mutating func add(_ range: Range<Int>, _ top: Int) throws(XMLError) {
        var text = try decoded(range)
        if let space = open[top].space { text = try decoded(space) + text }
        open[top].space = nil
        try count(text, top)
        if case .text(var before) = open[top].tree.nodes.last {
            // Appended in place: a document may have a comment after each letter.
            open[top].tree.nodes.removeLast()
            before += text
            text = before
        }
        open[top].tree.nodes.append(.text(text))
    }

    private mutating func cdata() throws(XMLError) {
        let start = index + 9
        try skip(past: "]]>")
        guard let top = open.indices.last, start <= index - 3 else {
            throw fault("a CDATA section has no end")
        }
        if let space = open[top].space {
            open[top].tree.nodes.append(.text(try decoded(space)))
            open[top].space = nil
        }
        // Unchanged, except for line breaks.
        var text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<(index - 3)]), as: UTF8.self)
        if text.utf8.contains(0x0D) { text = XMLText.withPlainLines(text) }
        try count(text, top)
        if case .cdata(var before) = open[top].tree.nodes.last {
            open[top].tree.nodes.removeLast()
            before += text
            text = before
        }
        open[top].tree.nodes.append(.cdata(text))
    }

    private mutating func count(_ text: String, _ top: Int) throws(XMLError) {
        open[top].textBytes += text.utf8.count
        guard open[top].textBytes <= limits.textBytes else {
            throw XMLError(.tooMuch("text of one element"), line: line)
        }
    }

    private func decoded(_ range: Range<Int>, isAttribute: Bool = false) throws(XMLError) -> String {
        let part = UnsafeBufferPointer(rebasing: bytes[range])
        if let text = XMLText.decoded(part, isAttribute: isAttribute) { return text }
        throw fault("a reference to no character")
    }

    // MARK: Pieces

    private func peek(_ ahead: Int = 0) -> UInt8 {
        index + ahead < bytes.count ? bytes[index + ahead] : 0
    }

    private mutating func skipSpace() -> Bool {
        let start = index
        while index < bytes.count, XMLPrecheck.isSpace(bytes[index]) { index += 1 }
        return index > start
    }

    private mutating func skip(past end: StaticString) throws(XMLError) {
        let wanted = UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount)
        // "<!-->" is no comment: its end does not overlap its beginning.
        var place = index + (wanted.count == 3 ? 4 : 2)
        while place + wanted.count <= bytes.count {
            if bytes[place] == wanted[0],
                UnsafeBufferPointer(rebasing: bytes[place..<(place + wanted.count)]).elementsEqual(wanted)
            {
                index = place + wanted.count
                return
            }
            place += 1
        }
        throw fault("a comment, CDATA section or instruction has no end")
    }

    private func rest(_ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[min(index, bytes.count)..<min(index + count, bytes.count)])
    }

    private var line: Int { 1 + bytes[..<min(index, bytes.count)].count { $0 == UInt8(ascii: "\n") } }

    private func fault(_ detail: String) -> XMLError { XMLError(.malformed(detail), line: line) }

    // All letters beyond ASCII are accepted, because nothing depends on them.
    private static func isName(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"),
            UInt8(ascii: ":"), 0x80...0xFF:
            true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !isFirst
        default: false
        }
    }
}

extension XMLTree {
    /// Drops the white space that only lays out elements.
    fileprivate mutating func dropLayout() {
        nodes.removeAll { node in
            guard case .text(let text) = node else { return false }
            return text.allSatisfy(\.isWhitespace)
        }
    }
}
