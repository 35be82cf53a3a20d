/// The part of a file that a `Range` header asks for (RFC 9110).
@_spi(Inlay) public enum ByteRange: Hashable, Sendable {
    /// There is no header, or it has several ranges, another unit or unreadable text: the whole file is a valid
    /// response.
    case whole
    /// A range outside the file, or one that ends before it begins: 416.
    case unsatisfiable
    case part(Range<Int>)

    /// Reads a header for a file of `size` bytes.
    public init(_ header: String?, size: Int) {
        let text = (header ?? "").filter { $0 != " " }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard text.hasPrefix("bytes="), ends.count == 2, ends.allSatisfy(Self.isNumber) else {
            self = .whole
            return
        }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, let last?) where first <= last && first < size:
            self = .part(first..<min(last + 1, size))
        case (let first?, nil) where first < size: self = .part(first..<size)
        case (nil, let count?) where count > 0 && size > 0: self = .part(max(0, size - count)..<size)
        case (nil, nil): self = .whole
        default: self = .unsatisfiable
        }
    }

    /// The value of the header `Content-Range` for a file of `size` bytes; `nil` when the whole file is sent.
    public func contentRange(size: Int) -> String? {
        switch self {
        case .whole: nil
        case .unsatisfiable: "bytes */\(size)"
        case .part(let range): "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
        }
    }

    // Longer numbers could overflow, and no file has that many bytes.
    private static func isNumber(_ text: Substring) -> Bool {
        text.utf8.count <= 15 && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
