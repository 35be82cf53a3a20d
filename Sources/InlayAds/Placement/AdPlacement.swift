import Foundation
import InlayCore
public import InlayWire

/// One ad place of the app: loads ads and shows them, one at a time, as often as the app likes.
public final class AdPlacement: Sendable {
    /// The ad place's id, from the Workbench.
    public let unitID: String
    /// What the app means to show; the server decides.
    public let format: AdFormat?
    /// The room that the app has, in points; the server decides.
    public let size: AdSize?

    init(unitID: String, format: AdFormat?, size: AdSize?) {
        self.unitID = unitID
        self.format = format
        self.size = size
    }

    /// Where the place is in its life.
    public var state: AdState { .initial }

    /// What is drawn now; `nil` while nothing is.
    public var current: AdShow? { nil }

    /// What happens from now on; any number of observers. Ends with the session.
    public var events: AsyncStream<AdEvent> { AsyncStream { $0.finish() } }

    /// Asks the server for an ad and returns when it can be shown. At once when one is ready.
    public func load() async throws(AdError) { throw .notInitialized }

    /// Shows what was loaded: at once, without asking the server. Once for each load.
    public func show() throws(AdError) { throw .notLoaded }

    /// Takes the ad off screen, whatever holds it there: for when the app's page goes.
    public func dismiss() {}

    /// Gives up whatever is there; the place can be used again.
    public func destroy() {}

    @discardableResult
    func tell(_ input: AdInput) async -> AdError? { nil }
    func touched(_ show: Int) {}
    func follow(_ address: String, _ show: Int) async -> AdLinkDecision { .refused(.notShown) }
    func linkClosed(_ show: Int) {}
    func progressed(to place: Duration, _ show: Int) async {}
    func call(_ addresses: [String], _ show: Int) async {}
}
