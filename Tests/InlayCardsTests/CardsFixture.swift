import Foundation
@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

/// A session with a scripted server, a manual clock and its own folder.
struct CardsFixture: Sendable {
    let clock: ManualClock
    let server: ScriptedTransport
    let folder: TemporaryFolder
    let session: InlaySession

    static let feed = InlayPath.cardFeed(container: "c")
    static let appearance = InlayPath.cardAppearance(container: "c")

    /// Starts a session; without `socket` the server refuses sockets with 404.
    static func start(
        in folder: TemporaryFolder? = nil, clock: ManualClock = ManualClock(at: Sample.noon),
        server: ScriptedTransport = ScriptedTransport(), socket: Bool = false, user: String? = "user-1"
    ) async throws -> CardsFixture {
        let folder = try folder ?? TemporaryFolder()
        if socket { server.alwaysSocket(.accept) }
        server.always(InlayPath.cardActions, .receipts)
        server.always(InlayPath.analytics, .receipts)
        let url = try #require(URL(string: "https://cards.test"))
        let configuration = SessionConfiguration(
            environmentID: "env", apiKey: "key", baseURL: url, folder: folder.url, clientVersion: "1.0")
        let session = try await InlaySession(
            configuration: configuration, transport: server, clock: clock, random: { 0.5 }
        ) { user.map { TestToken.unsigned(subject: $0, expires: nil) } }
        return CardsFixture(clock: clock, server: server, folder: folder, session: session)
    }

    var cards: Cards { session.cards }

    /// Restarts the app on the same device, with another server.
    func restarted(server: ScriptedTransport = ScriptedTransport(), socket: Bool = false) async throws
        -> CardsFixture
    {
        session.work.end()
        return try await .start(in: folder, clock: clock, server: server, socket: socket)
    }

    /// Sets the server's response to every request for the feed from now on, until the next call.
    func serve(_ feed: CardFeed) throws {
        server.always(InlayPath.cardFeed(container: feed.containerID), try .json(feed))
    }

    func observe(
        _ filters: [CardFilter] = [], pollEvery interval: Duration? = nil
    ) -> StreamRecorder<CardFeedState> {
        StreamRecorder(cards.observe("c", filters: filters, pollEvery: interval))
    }

    /// Returns the items of all batches that were posted to a path, in order.
    func posted<Item: Codable & Sendable>(_ type: Item.Type, to path: String) throws -> [Item] {
        try server.requests(path).flatMap { request in
            try JSONDecoder().decode(Batch<Item>.self, from: request.body ?? Data()).items
        }
    }

    var actions: [CardAction] { get throws { try posted(CardAction.self, to: InlayPath.cardActions) } }
    var analytics: [AnalyticsEvent] {
        get throws { try posted(AnalyticsEvent.self, to: InlayPath.analytics) }
    }
}

extension StreamRecorder where Element == CardFeedState {
    /// Waits for a state with exactly these cards, in this order.
    func untilCards(_ ids: [String]) async throws { try await until { $0.cards.map(\.id) == ids } }

    /// Waits until the newest state has exactly these cards, in this order.
    func untilNewest(cards ids: [String]) async throws {
        try await until { _ in self.elements.last?.cards.map(\.id) == ids }
    }
}
