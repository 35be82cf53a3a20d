/// A moment in time, in whole microseconds since 1 January 1970 UTC.
///
/// Encoded as a JSON integer. The server's clock is authoritative: a device converts its own time with the offset that
/// it computes from `serverTime` fields.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since 1 January 1970 UTC; negative before it.
    public var microseconds: Int64

    /// A moment from microseconds since 1 January 1970 UTC.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// A moment from seconds since 1 January 1970 UTC, cut to whole microseconds.
    ///
    /// Values outside what 64 bits of microseconds can hold become the nearest end of that range;
    /// not-a-number becomes 0.
    public init(seconds: Double) {
        let scaled = (seconds * 1_000_000).rounded(.towardZero)
        if scaled.isNaN {
            self.init(microseconds: 0)
        } else if let exact = Int64(exactly: scaled) {
            self.init(microseconds: exact)
        } else {
            self.init(microseconds: scaled < 0 ? .min : .max)
        }
    }

    /// Seconds since 1 January 1970 UTC.
    public var seconds: Double { Double(microseconds) / 1_000_000 }

    public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    /// The moment `duration` later, to the microsecond; sums past the ends of the range stop at the end.
    public static func + (moment: Self, duration: Duration) -> Self {
        let (sum, overflow) = moment.microseconds.addingReportingOverflow(duration.microseconds)
        guard overflow else { return Self(microseconds: sum) }
        return Self(microseconds: duration.microseconds < 0 ? .min : .max)
    }

    /// The time from `right` to `left`; negative when `left` is earlier. Stops at the ends of the range, as sums do.
    public static func - (left: Self, right: Self) -> Duration {
        let (gap, overflow) = left.microseconds.subtractingReportingOverflow(right.microseconds)
        guard overflow else { return .microseconds(gap) }
        return .microseconds(left < right ? Int64.min : .max)
    }
}

extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        microseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }
}

extension Duration {
    /// The duration in whole microseconds, cut towards zero; limited to what 64 bits can hold.
    public var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        guard !sumOverflow else { return seconds < 0 ? .min : .max }
        return sum
    }
}
