/// A moment in a video: a time from its start, or a part of its length.
@_spi(Inlay) public enum VASTOffset: Hashable, Sendable {
    /// A time from the start.
    case time(Duration)
    /// Thousandths of the length, at most 1000.
    case permille(Int)

    /// Reads `HH:MM:SS`, `HH:MM:SS.mmm` or `n%`; `nil` when it is none of them.
    public init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let permille = Self.permille(text.dropLast()) else { return nil }
            self = .permille(permille)
        } else {
            guard let time = Self.duration(text) else { return nil }
            self = .time(time)
        }
    }

    /// The time from the start of a video of this length. A moment behind the end is the end.
    public func time(in length: Duration) -> Duration {
        switch self {
        case .time(let time): min(time, length)
        case .permille(let part): length * part / 1000
        }
    }

    /// Reads `HH:MM:SS` or `HH:MM:SS.mmm`; hours may have any number of digits up to five.
    static func duration(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = whole(parts[0], 1...5), let minutes = whole(parts[1], 1...2),
            minutes < 60
        else { return nil }
        let seconds = parts[2].split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = whole(seconds[0], 1...2), whole < 60, seconds.count <= 2 else { return nil }
        var milliseconds = 0
        if seconds.count == 2 {
            guard let fraction = Self.whole(seconds[1], 1...9) else { return nil }
            // ".5" is half a second, ".005" five thousandths.
            milliseconds =
                seconds[1].count >= 3
                ? fraction / (0..<(seconds[1].count - 3)).reduce(1) { value, _ in value * 10 }
                : fraction * (seconds[1].count == 1 ? 100 : 10)
        }
        return .milliseconds(((hours * 60 + minutes) * 60 + whole) * 1000 + milliseconds)
    }

    private static func permille(_ text: Substring) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = whole(parts.first ?? "", 1...3), parts.count <= 2 else { return nil }
        var permille = whole * 10
        if parts.count == 2 {
            guard Self.whole(parts[1], 1...6) != nil, let tenth = parts[1].first?.wholeNumberValue else {
                return nil
            }
            permille += tenth
        }
        return permille <= 1000 ? permille : nil
    }

    private static func whole(_ text: some StringProtocol, _ digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}
