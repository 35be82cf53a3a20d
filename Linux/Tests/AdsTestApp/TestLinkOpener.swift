import Foundation
@_spi(Inlay) import InlayAds
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

/// A link opener that reports each link, on a system with or without a default browser.
final class TestLinkOpener: AdLinkOpener {
    private let hasBrowser = NIOLockedValueBox(true)

    func setBrowser(_ isThere: Bool) { hasBrowser.withLockedValue { $0 = isThere } }

    func open(_ address: URL) async -> Bool {
        let isThere = hasBrowser.withLockedValue { $0 }
        Report.line([isThere ? "opened" : "unopened": .string(address.absoluteString)])
        return isThere
    }
}
