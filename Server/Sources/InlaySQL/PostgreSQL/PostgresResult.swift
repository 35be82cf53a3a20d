import CLibPQ
import Foundation

/// The result of one statement; owns libpq's memory.
final class PostgresResult {
    private let raw: OpaquePointer

    init(_ raw: OpaquePointer) { self.raw = raw }

    deinit { PQclear(raw) }

    var status: ExecStatusType { PQresultStatus(raw) }

    /// The command tag, for example `COMMIT`.
    var command: String { String(cString: PQcmdStatus(raw)) }

    /// The number of rows that the statement inserted, changed or deleted; 0 when it only reads.
    var changedRows: Int {
        guard !command.hasPrefix("SELECT") else { return 0 }
        return Int(String(cString: PQcmdTuples(raw))) ?? 0
    }

    /// The first column of the first row as text.
    var firstText: String? { PQntuples(raw) > 0 ? PQgetvalue(raw, 0, 0).map { String(cString: $0) } : nil }

    func field(_ code: Int32) -> String? { PQresultErrorField(raw, code).map { String(cString: $0) } }

    /// Whether the schema changed under a prepared statement, which then has to be prepared again.
    var isStalePlan: Bool {
        sqlState == "0A000" && field(PostgresField.message)?.contains("cached plan") == true
    }

    var sqlState: String? { field(PostgresField.sqlState) }

    /// Returns all rows.
    func rows() -> [SQLRow] {
        let width = PQnfields(raw)
        let columns = SQLColumns((0..<width).map { String(cString: PQfname(raw, $0)) })
        let types = (0..<width).map { PQftype(raw, $0) }
        return (0..<PQntuples(raw)).map { row in
            SQLRow(columns: columns, values: (0..<width).map { value(row, $0, types[Int($0)]) })
        }
    }

    private func value(_ row: Int32, _ column: Int32, _ type: Oid) -> SQLValue {
        guard PQgetisnull(raw, row, column) == 0, let start = PQgetvalue(raw, row, column) else {
            return .null
        }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(raw, row, column)))
        switch type {
        case PostgresType.bytea: return .blob(Self.unhex(bytes))
        case PostgresType.bool: return .bool(bytes.first == UInt8(ascii: "t"))
        default: break
        }
        let text = String(decoding: bytes, as: UTF8.self)
        switch type {
        case PostgresType.int2, PostgresType.int4, PostgresType.int8, PostgresType.oid:
            return Int64(text).map(SQLValue.integer) ?? .text(text)
        case PostgresType.float4, PostgresType.float8: return Double(text).map(SQLValue.real) ?? .text(text)
        // PostgreSQL's type for a sum of BIGINT and for an average; SQLite has integer and real.
        case PostgresType.numeric:
            if let integer = Int64(text) { return .integer(integer) }
            return Double(text).map(SQLValue.real) ?? .text(text)
        default: return .text(text)
        }
    }

    /// Decodes the format of `bytea_output = hex`: `\x`, then two digits for each byte.
    private static func unhex(_ text: UnsafeRawBufferPointer) -> Data {
        func digit(_ byte: UInt8) -> UInt8 { byte < 58 ? byte - 48 : byte - 87 }
        var bytes = Data(capacity: text.count / 2)
        for index in stride(from: 2, to: text.count - 1, by: 2) {
            bytes.append(digit(text[index]) << 4 | digit(text[index + 1]))
        }
        return bytes
    }
}

/// The codes of an error's fields, which are macros in libpq's header that Swift cannot import.
enum PostgresField {
    static let sqlState = Int32(UInt8(ascii: "C"))
    static let message = Int32(UInt8(ascii: "M"))
    static let constraint = Int32(UInt8(ascii: "n"))
}
