@_spi(Inlay) import InlayWire

/// A reader of comma-separated values by RFC 4180, and as spreadsheets write them: one record at a time, with the
/// number of its first line.
///
/// The separator is the one that a first line `sep=;` names, else the comma, semicolon or tab that is most frequent
/// in the first record outside of quotes. Records that have only blank cells are skipped. A broken record is returned
/// as such, and reading continues at the next line. The caller limits the file's size; the reader stores only the
/// current record.
struct CSVReader: Sequence, IteratorProtocol {
    /// A record, or the reason why it cannot be read.
    enum Record: Hashable, Sendable {
        case cells([String], line: Int)
        case broken(line: Int, reason: String)
    }

    /// The maximum size of a cell, in bytes.
    static let maximumCellBytes = 16 << 10
    /// The maximum number of cells in a record.
    static let maximumCells = 500

    private let bytes: [UInt8]
    private let separator: UInt8
    private var position: Int
    private var line = 1

    /// Creates a reader of a file; throws for an encoding that ``TextFile`` does not read.
    ///
    /// Bytes that are not UTF-8 break only the record that contains them.
    init(_ file: [UInt8]) throws(TextFile.EncodingError) {
        bytes = try TextFile.utf8(file)
        let named = CSVSeparator.named(in: bytes)
        separator = named?.separator ?? CSVSeparator.detected(in: bytes)
        position = named?.end ?? 0
    }

    mutating func next() -> Record? {
        while let next = record() {
            if case .cells(let cells, _) = next, cells.allSatisfy(Self.isBlank) { continue }
            return next
        }
        return nil
    }

    /// Whether a cell is empty or only white space.
    static func isBlank(_ cell: String) -> Bool { cell.allSatisfy(\.isWhitespace) }

    private mutating func record() -> Record? {
        while position < bytes.count, isBreak(bytes[position]) { skipBreak() }
        guard position < bytes.count else { return nil }
        let start = line
        var cells: [String] = []
        while true {
            switch cell() {
            case .failure(let broken):
                skipLine()
                return .broken(line: start, reason: broken.reason)
            case .success(let text): cells.append(text)
            }
            guard cells.count <= Self.maximumCells else {
                skipLine()
                return .broken(line: start, reason: "more than \(Self.maximumCells) cells")
            }
            guard position < bytes.count, bytes[position] == separator else { break }
            position += 1
        }
        if position < bytes.count { skipBreak() }
        return .cells(cells, line: start)
    }

    private struct Broken: Error { let reason: String }

    private mutating func cell() -> Result<String, Broken> {
        if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { return quoted() }
        let start = position
        while position < bytes.count, bytes[position] != separator, !isBreak(bytes[position]) {
            guard bytes[position] != UInt8(ascii: "\"") else {
                return .failure(Broken(reason: "a quote inside of a cell that does not begin with one"))
            }
            position += 1
            guard position - start <= Self.maximumCellBytes else {
                return .failure(Broken(reason: "a cell is too long"))
            }
        }
        return text(Array(bytes[start..<position]))
    }

    private mutating func quoted() -> Result<String, Broken> {
        let (startPosition, startLine) = (position, line)
        var cell: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                position += 1
                guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                    guard position == bytes.count || bytes[position] == separator || isBreak(bytes[position])
                    else { return .failure(Broken(reason: "text after a closing quote")) }
                    return text(cell)
                }
            } else if byte == 0x0A {
                line += 1
            }
            cell.append(byte)
            position += 1
            if cell.count > Self.maximumCellBytes { break }
        }
        // Returns to the quote, because the lines after a quote that is never closed may be readable.
        (position, line) = (startPosition, startLine)
        let isLong = cell.count > Self.maximumCellBytes
        return .failure(Broken(reason: isLong ? "a cell is too long" : "a quote is never closed"))
    }

    private func text(_ cell: [UInt8]) -> Result<String, Broken> {
        guard let text = String(validating: cell, as: UTF8.self) else {
            return .failure(Broken(reason: "it is not UTF-8"))
        }
        return .success(text)
    }

    private func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private mutating func skipBreak() {
        if bytes[position] == 0x0D, position + 1 < bytes.count, bytes[position + 1] == 0x0A { position += 1 }
        position += 1
        line += 1
    }

    private mutating func skipLine() {
        while position < bytes.count, !isBreak(bytes[position]) { position += 1 }
        if position < bytes.count { skipBreak() }
    }
}
