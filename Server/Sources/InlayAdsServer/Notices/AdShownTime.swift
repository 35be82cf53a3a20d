import Foundation
import InlayOpenRTB
@_spi(Inlay) import InlayWire

/// The one macro of a billing notice that is known only once the ad is seen.
enum AdShownTime {
    private static let macro = "${AUCTION_IMP_TS}"
    // No address holds a space, so no bidder can have written this itself.
    private static let place = " shown "

    /// The notice with every other macro filled.
    static func filled(_ macros: OpenRTB.Macros, _ url: String) -> String {
        guard url.contains(macro) else { return macros.filled(url) }
        return macros.filled(url.replacing(macro, with: place))
    }

    /// The notice as it goes out.
    static func filled(_ url: String, shownAt moment: Timestamp) -> String {
        url.replacing(place, with: String(moment.microseconds / 1_000))
    }
}
