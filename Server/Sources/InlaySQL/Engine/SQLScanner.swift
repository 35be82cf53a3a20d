/// A scanner that separates SQL code from quoted text and comments.
struct SQLScanner {
    private let text: Substring.UTF8View
    private var position: String.Index

    /// Maps the parts that are code and keeps strings, quoted names and comments unchanged.
    static func map(_ sql: String, code: (Substring) -> String) -> String {
        var scanner = SQLScanner(text: sql[...].utf8, position: sql.startIndex)
        var result = ""
        var codeStart = sql.startIndex
        while scanner.position < sql.endIndex {
            let start = scanner.position
            guard scanner.skipVerbatim() else {
                scanner.position = scanner.text.index(after: start)
                continue
            }
            result += code(sql[codeStart..<start])
            result += sql[start..<scanner.position]
            codeStart = scanner.position
        }
        return result + code(sql[codeStart...])
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
        guard let index = text.index(position, offsetBy: offset, limitedBy: text.endIndex),
            index < text.endIndex
        else { return nil }
        return text[index]
    }

    /// Moves past a string, quoted name or comment that starts here; returns false when none does.
    private mutating func skipVerbatim() -> Bool {
        switch (byte(), byte(1)) {
        // A doubled quote ends one string and starts the next, which has the same result.
        case (UInt8(ascii: "'"), _): skipQuoted(UInt8(ascii: "'"))
        case (UInt8(ascii: "\""), _): skipQuoted(UInt8(ascii: "\""))
        case (UInt8(ascii: "-"), UInt8(ascii: "-")): skipLine()
        case (UInt8(ascii: "/"), UInt8(ascii: "*")): skipBlock()
        default: return false
        }
        return true
    }

    private mutating func advance(_ count: Int) {
        position = text.index(position, offsetBy: count, limitedBy: text.endIndex) ?? text.endIndex
    }

    private mutating func skipQuoted(_ quote: UInt8) {
        advance(1)
        while let next = byte() {
            advance(1)
            if next == quote { return }
        }
    }

    private mutating func skipLine() {
        while let next = byte() {
            advance(1)
            if next == UInt8(ascii: "\n") { return }
        }
    }

    /// Moves past a block comment; in PostgreSQL they nest.
    private mutating func skipBlock() {
        var depth = 0
        repeat {
            switch (byte(), byte(1)) {
            case (UInt8(ascii: "/"), UInt8(ascii: "*")):
                depth += 1
                advance(2)
            case (UInt8(ascii: "*"), UInt8(ascii: "/")):
                depth -= 1
                advance(2)
            case (nil, _): return
            default: advance(1)
            }
        } while depth > 0
    }
}
