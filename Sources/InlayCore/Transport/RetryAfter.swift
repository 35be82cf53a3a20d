import Foundation
import InlayWire

/// The `Retry-After` header field: seconds or an HTTP date.
enum RetryAfter {
    /// No server may silence the SDK for longer than this.
    static let longest = Duration.seconds(24 * 3600)

    /// The time to wait from `now`, between 0 and 24 hours; `nil` when unreadable.
    static func parse(_ text: String?, now: Timestamp) -> Duration? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More digits than fit is a long time, not nonsense.
            return .seconds(min(Int64(text) ?? .max, longest.components.seconds))
        }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = format.date(from: text) else { return nil }
        return min(max(Timestamp(seconds: date.timeIntervalSince1970) - now, .zero), longest)
    }
}
