import Foundation
import InlayOpenRTB
@_spi(Inlay) import InlayWire

/// The macro `AUCTION_IMP_TS` of a billing notice, the only one whose value is unknown until the ad is shown.
enum AdShownTime {
    /// A pattern for the macro, also with a percent-encoded `$` or braces. Its value is digits, which need no encoding.
    private static var macro: Regex<Substring> { /(?:\$|%24)(?:\{|%7[Bb])AUCTION_IMP_TS(?:\}|%7[Dd])/ }
    // A URL contains no space, so a bidder's notice cannot contain this text.
    private static let placeholder = " shown "

    /// Returns the notice's URL with this macro replaced by a placeholder, and every other one by its value.
    static func filled(_ macros: OpenRTB.Macros, _ url: String) -> String {
        guard url.contains("AUCTION_IMP_TS") else { return macros.filled(url) }
        return macros.filled(url.replacing(macro, with: placeholder))
    }

    /// Returns the notice's URL as it is sent, with the placeholder replaced by the time.
    static func filled(_ url: String, shownAt moment: Timestamp) -> String {
        url.replacing(placeholder, with: String(moment.microseconds / 1_000))
    }
}
