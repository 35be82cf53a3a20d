/// Finds the byte that separates the cells of a file of comma-separated values.
enum CSVSeparator {
    private static let quote = UInt8(ascii: "\"")
    /// The first of equally frequent ones counts.
    private static let usual = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

    /// The separator that the file's first line names, `sep=;` as spreadsheets write it, perhaps in quotes, and the
    /// place of that line's end.
    static func named(in file: [UInt8]) -> (separator: UInt8, end: Int)? {
        // One byte more than the line can have: where that is no line break, the line is another one.
        let line = file.prefix(8).prefix { !isBreak($0) }
        let isQuoted = line.count == 7 && line.first == quote && line.last == quote
        let text = isQuoted ? line.dropFirst().dropLast() : line
        guard text.count == 5, let separator = text.last, canSeparate(separator),
            String(decoding: text.dropLast(), as: UTF8.self).lowercased() == "sep="
        else { return nil }
        return (separator, line.endIndex)
    }

    /// The usual separator that the first record has most of, not counting those inside of quotes; a comma when there
    /// is none.
    static func detected(in file: [UInt8]) -> UInt8 {
        var counts = [0, 0, 0]
        var isQuoted = false
        for byte in file.drop(while: isBreak) {
            if byte == quote {
                isQuoted.toggle()
            } else if !isQuoted {
                if isBreak(byte) { break }
                if let place = usual.firstIndex(of: byte) { counts[place] += 1 }
            }
        }
        let maximum = counts.max() ?? 0
        return counts.firstIndex(of: maximum).map { usual[$0] } ?? usual[0]
    }

    private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// Whether a line may name this byte: a tab or a mark of ASCII other than the quote.
    private static func canSeparate(_ byte: UInt8) -> Bool {
        switch byte {
        case quote, UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            false
        default: byte == 0x09 || (0x21...0x7E).contains(byte)
        }
    }
}
