import Foundation
@_spi(Inlay) import InlayAds
@_spi(Inlay) import InlayCore
import InlayNIO
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

extension AdExchangeFixture {
    /// Returns the fixture's placement in an app that opens its links with `links`.
    func placement(in app: RunningApp, _ links: RecordingLinkOpener = RecordingLinkOpener()) throws
        -> AdPlacement
    {
        var configuration = AdsConfiguration()
        configuration.links = links
        // Other tests may kill and start servers on the same two cores meanwhile.
        configuration.timeout = .seconds(60)
        try app.session.ads.initialize(publisherID: publisherID, configuration)
        return app.session.ads.placement(unitID: unitID, format: .banner)
    }
}

/// A link opener that only records the links.
final class RecordingLinkOpener: AdLinkOpener {
    private let addresses = NIOLockedValueBox<[URL]>([])

    var opened: [URL] { addresses.withLockedValue { $0 } }

    func open(_ address: URL) async -> Bool {
        addresses.withLockedValue { $0.append(address) }
        return true
    }
}

/// A transport that loses either each tracker or the answer to each tracker, and delivers everything else.
struct TrackerLossTransport: Transport {
    enum LostMessage: String, CaseIterable, Sendable { case request, answer }

    /// The number of lost trackers.
    actor Losses {
        private(set) var count = 0

        func add() { count += 1 }
    }

    let losses = Losses()
    private let lost: LostMessage
    private let inner: NIOTransport

    init(_ lost: LostMessage) throws {
        self.lost = lost
        inner = try NIOTransport()
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.url.path.hasPrefix("/ads/t/") else { return try await inner.send(request) }
        if lost == .answer { _ = try await inner.send(request) }
        await losses.add()
        throw .cut("a tracker was lost on purpose")
    }

    func openSocket(_ request: TransportRequest) async throws(TransportError) -> any TransportSocket {
        try await inner.openSocket(request)
    }
}
