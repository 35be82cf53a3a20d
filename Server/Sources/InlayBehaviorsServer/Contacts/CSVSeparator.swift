/// The detection of the byte that separates the cells of a file.
enum CSVSeparator {
    private static let quote = UInt8(ascii: "\"")
    /// The separators that are detected; of equally frequent ones the first is used.
    private static let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

    /// Returns the separator that the file's first line names, and the index of that line's end. Spreadsheets write
    /// such a line as `sep=;` or `"sep=;"`.
    static func named(in file: [UInt8]) -> (separator: UInt8, end: Int)? {
        // The line has at most 7 bytes. When the eighth is no line break, this is not such a line.
        let line = file.prefix(8).prefix { !isBreak($0) }
        let isQuoted = line.count == 7 && line.first == quote && line.last == quote
        let text = isQuoted ? line.dropFirst().dropLast() : line
        guard text.count == 5, let separator = text.last, canSeparate(separator),
            String(decoding: text.dropLast(), as: UTF8.self).lowercased() == "sep="
        else { return nil }
        return (separator, line.endIndex)
    }

    /// Returns the candidate that is most frequent in the first record outside of quotes; a comma when there is none.
    static func detected(in file: [UInt8]) -> UInt8 {
        var counts = [0, 0, 0]
        var isQuoted = false
        for byte in file.drop(while: isBreak) {
            if byte == quote {
                isQuoted.toggle()
            } else if !isQuoted {
                if isBreak(byte) { break }
                if let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
            }
        }
        let maximum = counts.max() ?? 0
        return counts.firstIndex(of: maximum).map { candidates[$0] } ?? candidates[0]
    }

    private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// Whether a line may name this byte: a tab, or ASCII punctuation other than the quote.
    private static func canSeparate(_ byte: UInt8) -> Bool {
        switch byte {
        case quote, UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            false
        default: byte == 0x09 || (0x21...0x7E).contains(byte)
        }
    }
}
