import InlayServerCore

/// The lines between two `---` at the top of a file: a small, exact part of YAML.
///
/// `key: value` on one line. A value is a text (plain, or in double or single quotes), `true`, `false`, a
/// whole number, or a list: `[a, b]`, or lines with `- ` below the key. `#` after a blank begins a comment.
/// There is nothing else: no nesting, no text over several lines, no anchors.
struct FrontMatter {
    /// The value of a key, and its line.
    struct Entry: Hashable {
        let value: Value
        let line: Int
    }

    /// A value as it was written.
    enum Value: Hashable {
        /// A text without its quotes, and whether it had quotes.
        case text(String, isQuoted: Bool)
        case list([String])
    }

    private(set) var entries: [String: Entry] = [:]
    /// The text after the second `---`.
    private(set) var body = ""
    /// The line of the file on which the body begins.
    private(set) var bodyLine = 1
    private(set) var faults: [(line: Int, message: String)] = []

    private static let maximumLines = 500

    /// Parses the text of a file; the errors are in ``faults``.
    init(_ text: String) {
        let lines = text.replacing("\r\n", with: "\n").split(
            separator: "\n", omittingEmptySubsequences: false)
        guard lines.first.map({ Self.trimmedEnd($0) == "---" }) == true else {
            faults.append((1, "The file begins with a line '---' and what there is to say about it."))
            body = text
            return
        }
        guard let end = lines.dropFirst().firstIndex(where: { Self.trimmedEnd($0) == "---" }) else {
            faults.append((1, "The line '---' that ends the front matter is missing."))
            return
        }
        body = lines[(end + 1)...].joined(separator: "\n")
        bodyLine = end + 2
        guard end <= Self.maximumLines else {
            faults.append((1, "At most \(Self.maximumLines) lines of front matter."))
            return
        }
        read(lines[1..<end])
    }

    private mutating func read(_ lines: ArraySlice<Substring>) {
        var open: (key: String, line: Int, items: [String])?
        func isBlank(_ line: Substring) -> Bool {
            let text = line.drop { $0 == " " }
            return text.isEmpty || text.hasPrefix("#")
        }
        for (index, line) in zip(lines.indices, lines) where !isBlank(line) {
            let number = index + 1
            if line.contains("\t") {
                faults.append((number, "A tab: use blanks."))
            } else if line.drop(while: { $0 == " " }).hasPrefix("- ") {
                guard open != nil else {
                    faults.append((number, "A list item without a key above it."))
                    continue
                }
                if let item = scalar(line.drop { $0 == " " }.dropFirst(2), number) {
                    open?.items.append(item.text)
                }
            } else {
                close(&open)
                open = entry(line, number)
            }
        }
        close(&open)
    }

    private mutating func entry(_ line: Substring, _ number: Int) -> (
        key: String, line: Int, items: [String]
    )? {
        guard let colon = line.firstIndex(of: ":"), line.first != " " else {
            faults.append(
                (number, line.first == " " ? "Not indented: there is no nesting." : "A line is 'key: value'.")
            )
            return nil
        }
        let key = String(line[..<colon])
        guard key.wholeMatch(of: /[a-z][a-z-]{0,31}/) != nil else {
            faults.append((number, "'\(key.prefix(scalars: 40))' is no key: lower-case letters and dashes."))
            return nil
        }
        let rest = line[line.index(after: colon)...]
        guard rest.isEmpty || rest.first == " " else {
            faults.append((number, "A blank is missing after '\(key):'."))
            return nil
        }
        let value = rest.drop { $0 == " " }
        if value.isEmpty || value.hasPrefix("#") { return (key, number, []) }
        if value.hasPrefix("[") {
            if let list = flowList(value, number) { keep(key, .list(list), number) }
        } else if let text = scalar(value, number) {
            keep(key, .text(text.text, isQuoted: text.isQuoted), number)
        }
        return nil
    }

    private mutating func close(_ open: inout (key: String, line: Int, items: [String])?) {
        if let open {
            keep(open.key, open.items.isEmpty ? .text("", isQuoted: false) : .list(open.items), open.line)
        }
        open = nil
    }

    private mutating func keep(_ key: String, _ value: Value, _ line: Int) {
        if let first = entries[key] {
            faults.append((line, "'\(key)' is there already, on line \(first.line)."))
        } else {
            entries[key] = Entry(value: value, line: line)
        }
    }

    /// Parses a single value, which ends with its line.
    private mutating func scalar(_ text: Substring, _ line: Int) -> (text: String, isQuoted: Bool)? {
        guard let quote = text.first, quote == "\"" || quote == "'" else {
            return (plain(text, line), false)
        }
        guard let (inner, rest) = quoted(text, quote, line) else { return nil }
        let tail = rest.drop { $0 == " " }
        guard tail.isEmpty || (tail.hasPrefix("#") && rest.first == " ") else {
            faults.append((line, "Something follows the closing quote."))
            return nil
        }
        return (inner, true)
    }

    private mutating func plain(_ text: Substring, _ line: Int) -> String {
        let end = text.firstRange(of: " #")?.lowerBound ?? text.endIndex
        let value = Self.trimmedEnd(text[..<end])
        if let first = value.first, "&*!|>%@`{".contains(first) {
            faults.append((line, "A value that begins with '\(first)' must be in quotes."))
        } else if value.contains(": ") {
            faults.append((line, "A value with a colon and a blank must be in quotes."))
        }
        return String(value)
    }

    private mutating func quoted(_ text: Substring, _ quote: Character, _ line: Int) -> (String, Substring)? {
        var value = ""
        var rest = text.dropFirst()
        while let character = rest.first {
            rest = rest.dropFirst()
            if character == quote {
                guard quote == "'", rest.first == "'" else { return (value, rest) }
                rest = rest.dropFirst()
                value.append("'")
            } else if character == "\\", quote == "\"" {
                guard let escaped = rest.first, "\"\\".contains(escaped) else {
                    faults.append((line, "In double quotes only \\\" and \\\\ may follow a backslash."))
                    return nil
                }
                rest = rest.dropFirst()
                value.append(escaped)
            } else {
                value.append(character)
            }
        }
        faults.append((line, "The closing quote is missing."))
        return nil
    }

    private mutating func flowList(_ text: Substring, _ line: Int) -> [String]? {
        var items: [String] = []
        var rest = text.dropFirst().drop { $0 == " " }
        if rest.first == "]" { return endsLine(rest.dropFirst(), line) ? [] : nil }
        while true {
            if let quote = rest.first, quote == "\"" || quote == "'" {
                guard let (inner, after) = quoted(rest, quote, line) else { return nil }
                items.append(inner)
                rest = after.drop { $0 == " " }
            } else {
                let item = rest.prefix { $0 != "," && $0 != "]" }
                rest = rest[item.endIndex...]
                let value = Self.trimmedEnd(item)
                guard !value.isEmpty, !value.contains("[") else {
                    faults.append((line, "An empty or nested value in a list."))
                    return nil
                }
                items.append(String(value))
            }
            switch rest.first {
            case ",": rest = rest.dropFirst().drop { $0 == " " }
            case "]": return endsLine(rest.dropFirst(), line) ? items : nil
            default:
                faults.append((line, "The list has no closing ']'."))
                return nil
            }
        }
    }

    private mutating func endsLine(_ rest: Substring, _ line: Int) -> Bool {
        let text = rest.drop { $0 == " " }
        if text.isEmpty || text.hasPrefix("#") { return true }
        faults.append((line, "Something follows the list."))
        return false
    }

    private static func trimmedEnd(_ text: Substring) -> Substring {
        var text = text
        while text.last == " " || text.last == "\r" { text = text.dropLast() }
        return text
    }
}
