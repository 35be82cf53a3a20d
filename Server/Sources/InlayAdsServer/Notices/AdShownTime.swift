import Foundation
import InlayOpenRTB
@_spi(Inlay) import InlayWire

/// The one macro of a billing notice that is known only once the ad is seen.
enum AdShownTime {
    /// The macro, also where its `$` and its braces came percent-encoded: digits are the same in both.
    private static var macro: Regex<Substring> { /(?:\$|%24)(?:\{|%7[Bb])AUCTION_IMP_TS(?:\}|%7[Dd])/ }
    // No address holds a space, so no bidder can have written this itself.
    private static let place = " shown "

    /// The notice with every other macro filled.
    static func filled(_ macros: OpenRTB.Macros, _ url: String) -> String {
        guard url.contains("AUCTION_IMP_TS") else { return macros.filled(url) }
        return macros.filled(url.replacing(macro, with: place))
    }

    /// The notice as it goes out.
    static func filled(_ url: String, shownAt moment: Timestamp) -> String {
        url.replacing(place, with: String(moment.microseconds / 1_000))
    }
}
