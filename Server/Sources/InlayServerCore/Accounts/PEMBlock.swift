/// A block of a PEM text: the lines from `-----BEGIN …-----` to `-----END …-----` (RFC 7468).
///
/// Text in front of a block, between blocks and behind them is passed over, and so are white space at the ends of
/// lines, empty lines, and a byte order mark. Lines may have any length and end.
struct PEMBlock: Hashable, Sendable {
    /// The reason why the blocks of a text cannot be read. It never contains the content of a block.
    enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        case noBlock
        /// The line that begins a block has more text after its dashes.
        case oneLine
        /// A block's end is missing, or has another label.
        case noEnd(label: String)

        var description: String {
            switch self {
            case .noBlock: "There is no line -----BEGIN …-----."
            case .oneLine:
                "It is all in one line. The lines BEGIN and END stand alone, above and below the base64."
            case .noEnd(let label): "The line -----END \(label)----- is missing."
            }
        }
    }

    private static let maximumLabelLength = 64
    private static let lineLength = 64

    /// The kind of the content, for example `PUBLIC KEY`.
    let label: String
    private let base64: String

    /// The block alone, in lines of 64 characters, which other libraries require.
    var text: String {
        var lines = ["-----BEGIN \(label)-----"]
        var rest = base64[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(Self.lineLength)))
            rest = rest.dropFirst(Self.lineLength)
        }
        return (lines + ["-----END \(label)-----", ""]).joined(separator: "\n")
    }

    /// Returns the blocks of a text, at least one.
    static func blocks(of text: String) throws(Fault) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        // Two variables and no optional pair: a pair that is unwrapped would be copied for each line.
        var label: String?, base64 = ""
        for whole in text.split(whereSeparator: \.isNewline) {
            let line = trimmed(whole)
            guard let open = label else {
                (label, base64) = (try labelBegun(by: line), "")
                continue
            }
            if line == "-----END \(open)-----" {
                blocks.append(PEMBlock(label: open, base64: base64))
                label = nil
            } else if line.hasPrefix("-----") {
                throw .noEnd(label: open)
            } else {
                base64.append(contentsOf: line.lazy.filter { !$0.isWhitespace })
            }
        }
        if let label { throw .noEnd(label: label) }
        guard !blocks.isEmpty else { throw .noBlock }
        return blocks
    }

    /// Returns the label of a line that begins a block; `nil` for any other line.
    private static func labelBegun(by line: Substring) throws(Fault) -> String? {
        let start = "-----BEGIN "
        guard line.hasPrefix(start) else { return nil }
        let rest = line.dropFirst(start.count)
        let label = rest.prefix { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == " ") }
        guard !label.isEmpty, label.utf8.count <= maximumLabelLength,
            rest[label.endIndex...].hasPrefix("-----")
        else { return nil }
        guard rest[label.endIndex...] == "-----" else { throw .oneLine }
        return String(label)
    }

    private static func trimmed(_ line: Substring) -> Substring {
        func isSpace(_ character: Character) -> Bool { character.isWhitespace || character == "\u{FEFF}" }
        guard let last = line.lastIndex(where: { !isSpace($0) }) else { return "" }
        return line[...last].drop(while: isSpace)
    }
}
