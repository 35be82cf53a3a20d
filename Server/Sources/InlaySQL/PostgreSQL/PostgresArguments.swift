import CLibPQ

/// The arguments of a statement in PostgreSQL's binary format, which needs no quoting.
///
/// Types are sent, so that the server does not infer them: `? + 1` must not become a 32-bit sum. Only the type of
/// `NULL` is inferred, because it has to fit the column.
struct PostgresArguments {
    private(set) var types: [Oid] = []
    private var bytes: [UInt8] = []
    private var spans: [Range<Int>?] = []

    init(_ values: [SQLValue]) throws {
        types.reserveCapacity(values.count)
        for value in values { append(try value.checked()) }
        // An empty value still needs an address, which an empty array does not have.
        bytes.append(0)
    }

    private mutating func append(_ value: SQLValue) {
        let start = bytes.count
        switch value {
        case .null:
            types.append(0)
            spans.append(nil)
            return
        case .integer(let integer):
            types.append(PostgresType.int8)
            withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
        case .real(let number):
            types.append(PostgresType.float8)
            withUnsafeBytes(of: number.bitPattern.bigEndian) { bytes.append(contentsOf: $0) }
        case .text(let text):
            types.append(PostgresType.text)
            bytes.append(contentsOf: text.utf8)
        case .blob(let blob):
            types.append(PostgresType.bytea)
            bytes.append(contentsOf: blob)
        }
        spans.append(start..<bytes.count)
    }

    /// Calls `body` with the values, lengths and formats that libpq takes; they are valid inside `body` only.
    func withPointers<R>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> R
    ) -> R {
        let lengths = spans.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: spans.count)
        return bytes.withUnsafeBytes { buffer in
            let base = buffer.bindMemory(to: CChar.self).baseAddress
            let pointers = spans.map { span in span.flatMap { base?.advanced(by: $0.lowerBound) } }
            return body(pointers, lengths, formats)
        }
    }
}
