@_spi(Inlay) package import InlayWire

/// An expiration in EngageSDK's expiration language: a duration, `1 day 15m`, or a date, `2014/12/25 11:12:13`.
///
/// A duration is any number of values, each of digits and a unit that begins with d, h, m (minutes) or s, in any order
/// and case. Spaces and other text are ignored, and the values are added. Only a text without such a value is read as a
/// date: `yyyy/MM/dd HH:mm:ss` in UTC anywhere in the text, or RFC 3339.
package enum Expiration: Hashable, Sendable {
    /// A duration from a reference time.
    case after(Duration)
    /// A date.
    case at(Timestamp)

    /// Reads a text; `nil` when it contains neither a duration nor a date.
    package init?(_ text: String) {
        if let duration = Self.duration(of: text) {
            self = .after(duration)
        } else if let moment = Self.moment(in: text) ?? Timestamp(rfc3339: Self.trimmed(text)) {
            self = .at(moment)
        } else {
            return nil
        }
    }

    /// The duration; `nil` for a date.
    package var duration: Duration? {
        guard case .after(let duration) = self else { return nil }
        return duration
    }

    /// Returns the date of the expiration; a duration counts from `reference`. A day is 86,400 seconds.
    package func date(from reference: Timestamp) -> Timestamp {
        switch self {
        case .after(let duration): reference + duration
        case .at(let moment): moment
        }
    }

    /// The maximum duration, a hundred thousand years, so that sums cannot overflow.
    private static let maximumSeconds: Int64 = 3_155_760_000_000

    private static func duration(of text: String) -> Duration? {
        var (seconds, found) = (Int64(0), false)
        var number: Int64?
        var isGap = false
        for character in text.lowercased().unicodeScalars {
            if ("0"..."9").contains(character) {
                // Digits after a gap are a new number.
                let before = isGap ? 0 : number ?? 0
                number = min(before * 10 + Int64(character.value - 0x30), maximumSeconds)
                isGap = false
            } else if character.properties.isWhitespace {
                isGap = number != nil
            } else {
                if let number, let unit = units[character] {
                    let (product, overflow) = number.multipliedReportingOverflow(by: unit)
                    seconds = min(
                        seconds + (overflow ? maximumSeconds : min(product, maximumSeconds)), maximumSeconds)
                    found = true
                }
                (number, isGap) = (nil, false)
            }
        }
        return found ? .seconds(seconds) : nil
    }

    private static let units: [Unicode.Scalar: Int64] = ["d": 86_400, "h": 3600, "m": 60, "s": 1]

    private static func moment(in text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        let shape = Array("0000/00/00 00:00:00".utf8)
        guard bytes.count >= shape.count else { return nil }
        for start in 0...(bytes.count - shape.count) {
            let window = bytes[start..<start + shape.count]
            let fits = zip(window, shape).allSatisfy { byte, form in
                form == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == form
            }
            guard fits else { continue }
            let plain = String(decoding: window, as: UTF8.self).replacing("/", with: "-").replacing(
                " ", with: "T")
            if let moment = Timestamp(rfc3339: plain + "Z") { return moment }
        }
        return nil
    }

    private static func trimmed(_ text: String) -> String {
        let trimmed = text.drop { $0.isWhitespace }
        return String(
            trimmed[
                ..<(trimmed.lastIndex { !$0.isWhitespace }.map { trimmed.index(after: $0) }
                    ?? trimmed.startIndex)])
    }
}
