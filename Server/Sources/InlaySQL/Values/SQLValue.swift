public import Foundation

/// A value that goes into a statement or comes out of one.
public enum SQLValue: Hashable, Sendable {
    /// `NULL`.
    case null
    /// Integers, times in microseconds since 1970, Booleans as 0 and 1.
    case integer(Int64)
    /// Double precision. NaN is `NULL` to SQLite and therefore refused on both engines.
    case real(Double)
    /// UTF-8 without NUL, which PostgreSQL cannot store.
    case text(String)
    /// Bytes.
    case blob(Data)

    /// An integer of any width.
    public static func int(_ value: Int) -> SQLValue { .integer(Int64(value)) }
    /// 1 or 0.
    public static func bool(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }

    /// The text, or `null` for `nil`.
    public init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }
    /// The integer, or `null` for `nil`.
    public init(_ integer: Int64?) { self = integer.map(SQLValue.integer) ?? .null }
    /// The integer, or `null` for `nil`.
    public init(_ integer: Int?) { self = integer.map { .integer(Int64($0)) } ?? .null }
    /// The number, or `null` for `nil`.
    public init(_ real: Double?) { self = real.map(SQLValue.real) ?? .null }
    /// The bytes, or `null` for `nil`.
    public init(_ bytes: Data?) { self = bytes.map(SQLValue.blob) ?? .null }
}

extension SQLValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .real(value) }
    public init(stringLiteral value: String) { self = .text(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension SQLValue {
    /// The name of the kind, for messages; never the value, which may be private.
    var kindName: String {
        switch self {
        case .null: "null"
        case .integer: "an integer"
        case .real: "a real"
        case .text: "a text"
        case .blob: "a blob"
        }
    }

    /// Returns the value, or throws when the engines would store it differently.
    func checked() throws -> SQLValue {
        switch self {
        case .text(let text) where text.utf8.contains(0):
            throw SQLError(
                .invalidValue, "Text with a NUL character cannot be stored; remove it or use a blob.")
        case .real(let number) where number.isNaN:
            throw SQLError(.invalidValue, "NaN cannot be stored; store NULL instead.")
        default: return self
        }
    }
}
