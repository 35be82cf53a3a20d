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

    /// Returns the time from the start of a video of this length; a time after the end becomes the end.
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
            minutes < 60, let milliseconds = milliseconds(parts[2], 1...2), milliseconds < 60_000
        else { return nil }
        return .milliseconds((hours * 60 + minutes) * 60_000 + milliseconds)
    }

    /// Reads the length of a video as players do: `HH:MM:SS`, `MM:SS` or seconds alone, with or without a fraction.
    ///
    /// Minutes and seconds may have two digits, and seconds alone five; values above 59 carry over.
    static func length(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let last = parts.last, parts.count <= 3,
            let milliseconds = milliseconds(last, parts.count == 1 ? 1...5 : 1...2)
        else { return nil }
        var minutes = 0
        for (index, part) in parts.dropLast().enumerated() {
            let isHours = parts.count == 3 && index == 0
            guard let value = whole(part, isHours ? 1...5 : 1...2) else { return nil }
            minutes = minutes * 60 + value
        }
        return .milliseconds(minutes * 60_000 + milliseconds)
    }

    /// Reads seconds with an optional fraction.
    private static func milliseconds(_ text: Substring, _ digits: ClosedRange<Int>) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let seconds = whole(parts[0], digits) else { return nil }
        guard parts.count == 2 else { return seconds * 1000 }
        guard let fraction = whole(parts[1], 1...9) else { return nil }
        // ".5" is half a second, ".005" five thousandths.
        let thousandths =
            parts[1].count >= 3
            ? fraction / (0..<(parts[1].count - 3)).reduce(1) { value, _ in value * 10 }
            : fraction * (parts[1].count == 1 ? 100 : 10)
        return seconds * 1000 + thousandths
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
