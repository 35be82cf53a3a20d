public import Foundation
internal import InlayBehaviors
internal import InlayCore
@_spi(Inlay) import InlayWire

/// EngageSDK's expiration language, for example `1 day 15m`, or a moment, `2014/12/25 11:12:13` (UTC).
///
/// New code should use `Expiration`.
public final class EngageExpirationParser: NSObject, Sendable {
    private let expiration: Expiration?
    private let reference: Timestamp

    /// Reads a text. Times are measured from the date, or from now when there is none.
    public init(expirationString: String?, from date: Date? = nil) {
        expiration = expirationString.flatMap { Expiration($0) }
        reference =
            date.map { Timestamp(seconds: $0.timeIntervalSince1970) }
            ?? EngageRuntime.shared.services.clock.now()
    }

    /// Whether the text said a time or a moment; else everything is `nil` or 0.
    public var isValid: Bool { expiration != nil }

    /// The moment of expiry; `nil` when the text states none.
    public func expirationDate() -> Date? {
        (expiration?.date(from: reference)).map { Date(timeIntervalSince1970: $0.seconds) }
    }

    /// The same in Unix seconds; 0 when the text said nothing.
    public func expirationTimeStamp() -> Int { Int(expirationDate()?.timeIntervalSince1970 ?? 0) }

    /// The number of seconds from the reference date to the expiration.
    public func secondsParsedFromExpiration() -> Int {
        guard let end = expiration?.date(from: reference) else { return 0 }
        return Int((end - reference).components.seconds)
    }

    /// The same in milliseconds.
    public func millisecondsParsedFromExpiration() -> Int { secondsParsedFromExpiration() * 1000 }

    /// The same in whole minutes.
    public func minutesParsedFromExpiration() -> Int { secondsParsedFromExpiration() / 60 }

    /// The same in whole hours.
    public func hoursParsedFromExpiration() -> Int { secondsParsedFromExpiration() / 3600 }

    /// The same in whole days of 86,400 seconds.
    public func daysParsedFromExpiration() -> Int { secondsParsedFromExpiration() / 86_400 }
}
