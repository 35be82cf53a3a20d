public import Foundation

/// A reader for text files that people upload, as editors, spreadsheets and other programs save them.
///
/// UTF-8 with or without a byte order mark and UTF-16 with one are read. Other encodings are refused with their names,
/// because a guess could change the text. Callers limit the size; UTF-16 grows by at most half when it becomes UTF-8.
@_spi(Inlay) public enum TextFile {
    /// The reason why bytes are not read as text.
    public enum EncodingError: Error, Hashable, Sendable, CustomStringConvertible {
        /// An encoding that is not read, for example `UTF-32`.
        case unsupported(String)
        /// A byte order mark of UTF-16, but the bytes are not UTF-16 or end within a character.
        case brokenUTF16
        /// Bytes that are not UTF-8; the first of them is on this line, counted from 1.
        case notUTF8(line: Int)

        /// The line of the first byte that is not UTF-8, from 1; `nil` for other errors.
        public var line: Int? {
            if case .notUTF8(let line) = self { line } else { nil }
        }

        /// The description of the bytes, as the object of a sentence.
        public var found: String {
            switch self {
            case .unsupported(let name): name
            case .brokenUTF16: "broken UTF-16"
            case .notUTF8: "bytes that are no UTF-8"
            }
        }

        /// Two sentences for the file's owner.
        public var description: String {
            switch self {
            case .unsupported(let name): "It is \(name). Save it as UTF-8."
            case .brokenUTF16, .notUTF8: "It holds \(found). Save it as UTF-8."
            }
        }
    }

    /// Returns the text, without a byte order mark.
    public static func text(_ file: Data) throws(EncodingError) -> String {
        let plain = try utf8(file)
        guard let text = String(data: plain, encoding: .utf8) else {
            throw .notUTF8(line: firstBrokenLine(plain))
        }
        return text
    }

    /// Returns the bytes as UTF-8, without a byte order mark. Bytes without a mark are not validated as UTF-8.
    public static func utf8<Bytes>(_ file: Bytes) throws(EncodingError) -> Bytes
    where Bytes: RandomAccessCollection & RangeReplaceableCollection, Bytes.Element == UInt8 {
        let start = Array(file.prefix(4))
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { return Bytes(file.dropFirst(3)) }
        // The first mark could also be UTF-16 that begins with a NUL, which no text contains.
        if start == [0xFF, 0xFE, 0, 0] || start == [0, 0, 0xFE, 0xFF] { throw .unsupported("UTF-32") }
        if start.starts(with: [0xFF, 0xFE]) {
            return Bytes(try transcoded(Array(file.dropFirst(2)), isBigEndian: false))
        }
        if start.starts(with: [0xFE, 0xFF]) {
            return Bytes(try transcoded(Array(file.dropFirst(2)), isBigEndian: true))
        }
        guard !start.contains(0) else { throw .unsupported("UTF-16 or UTF-32 without a byte order mark") }
        return file
    }

    private static func transcoded(
        _ utf16: [UInt8], isBigEndian: Bool
    ) throws(EncodingError) -> [UInt8] {
        guard utf16.count.isMultiple(of: 2) else { throw .brokenUTF16 }
        let (high, low) = isBigEndian ? (0, 1) : (1, 0)
        let units = stride(from: 0, to: utf16.count, by: 2).lazy.map {
            UInt16(utf16[$0 + high]) << 8 | UInt16(utf16[$0 + low])
        }
        var utf8: [UInt8] = []
        utf8.reserveCapacity(utf16.count)
        let isBroken = transcode(
            units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true
        ) { utf8.append($0) }
        guard !isBroken else { throw .brokenUTF16 }
        return utf8
    }

    private static func firstBrokenLine(_ file: Data) -> Int {
        let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return 1 + (lines.firstIndex { String(data: $0, encoding: .utf8) == nil } ?? 0)
    }
}
