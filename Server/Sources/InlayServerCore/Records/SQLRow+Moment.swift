package import InlaySQL
@_spi(Inlay) package import InlayWire

extension SQLRow {
    /// A moment that is never `NULL`.
    package func moment(_ column: String) throws -> Timestamp { Timestamp(microseconds: try int64(column)) }

    /// A moment, or `nil` for `NULL`.
    package func optionalMoment(_ column: String) throws -> Timestamp? {
        try optionalInt64(column).map(Timestamp.init(microseconds:))
    }
}

extension SQLValue {
    /// A moment as microseconds.
    package static func moment(_ moment: Timestamp) -> SQLValue { .integer(moment.microseconds) }
    /// A moment as microseconds, or `null`.
    package static func moment(_ moment: Timestamp?) -> SQLValue { SQLValue(moment?.microseconds) }
}
