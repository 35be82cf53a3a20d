public import Foundation
internal import InlayBehaviors
internal import InlayCore
@_spi(Inlay) import InlayWire

/// A parser of EngageSDK's expiration texts: a duration such as `1 day 15m`, or a UTC time such as
/// `2014/12/25 11:12:13`.
///
/// New code should use `Expiration`.
public final class EngageExpirationParser: NSObject, Sendable {
    private let expiration: Expiration?
    private let reference: Timestamp

    /// Parses a text. Durations are counted from the date, or from now when the date is `nil`.
    public init(expirationString: String?, from date: Date? = nil) {
        expiration = expirationString.flatMap { Expiration($0) }
        reference =
            date.map { Timestamp(seconds: $0.timeIntervalSince1970) }
            ?? EngageRuntime.shared.services.clock.now()
    }

    /// Whether the text is a duration or a time; if not, all other results are `nil` or 0.
    public var isValid: Bool { expiration != nil }

    /// Returns the time of expiration; `nil` when the text is invalid.
    public func expirationDate() -> Date? {
        (expiration?.date(from: reference)).map { Date(timeIntervalSince1970: $0.seconds) }
    }

    /// Returns the time of expiration in Unix seconds; 0 when the text is invalid.
    public func expirationTimeStamp() -> Int { Int(expirationDate()?.timeIntervalSince1970 ?? 0) }

    /// Returns the number of seconds from the reference date to the expiration.
    public func secondsParsedFromExpiration() -> Int {
        guard let end = expiration?.date(from: reference) else { return 0 }
        return Int((end - reference).components.seconds)
    }

    /// Returns the same time in milliseconds.
    public func millisecondsParsedFromExpiration() -> Int { secondsParsedFromExpiration() * 1000 }

    /// Returns the same time in whole minutes.
    public func minutesParsedFromExpiration() -> Int { secondsParsedFromExpiration() / 60 }

    /// Returns the same time in whole hours.
    public func hoursParsedFromExpiration() -> Int { secondsParsedFromExpiration() / 3600 }

    /// Returns the same time in whole days of 86,400 seconds.
    public func daysParsedFromExpiration() -> Int { secondsParsedFromExpiration() / 86_400 }
}
