import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// The requests for feeds, one per container at a time.
actor CardFeedRefresher {
    typealias Outcome = Result<Void, CardConnectionError>

    private struct ContainerRequests {
        var current: Task<Outcome, Never>?
        var next: Task<Outcome, Never>?
    }

    private let api: APIClient
    private let store: CardStore
    private let feeds: CardFeeds
    private let work: SessionWork
    private let updated: @Sendable (CardFeed) async -> Void
    private var requests: [String: ContainerRequests] = [:]

    /// Creates a refresher; `updated` receives each feed that was newer than the one before.
    init(
        api: APIClient, store: CardStore, feeds: CardFeeds, work: SessionWork,
        updated: @escaping @Sendable (CardFeed) async -> Void
    ) {
        self.api = api
        self.store = store
        self.feeds = feeds
        self.work = work
        self.updated = updated
    }

    /// Requests the container's feed and returns when the response is stored.
    ///
    /// The server may have answered a running request before the change that this call is for. So the call waits for a
    /// request that starts later, which all calls meanwhile share.
    @discardableResult
    func refresh(_ container: String) async -> Outcome { await request(container).value }

    private func request(_ container: String) -> Task<Outcome, Never> {
        let running = requests[container] ?? ContainerRequests()
        if let next = running.next { return next }
        let before = running.current
        // Ends with the request; log-out cancels it.
        let task = work.start { [weak self] () -> Outcome in
            _ = await before?.value
            return await self?.run(container, isQueued: before != nil) ?? .failure(.loggedOut)
        }
        if before == nil {
            requests[container, default: ContainerRequests()].current = task
        } else {
            requests[container]?.next = task
        }
        return task
    }

    private func run(_ container: String, isQueued: Bool) async -> Outcome {
        if isQueued, let ended = requests[container] {
            requests[container] = ContainerRequests(current: ended.next)
        }
        let outcome = await loadAndFetch(container)
        requests[container]?.current = nil
        return outcome
    }

    private func loadAndFetch(_ container: String) async -> Outcome {
        do {
            try await feeds.load(container)
            try await fetch(container)
            return .success(())
        } catch {
            let failure = CardConnectionError(error)
            await feeds.fail(container, failure)
            return .failure(failure)
        }
    }

    private func fetch(_ container: String) async throws {
        let version = await feeds.version(container)
        let answered = await feeds.answered
        let response = try await api.get(
            InlayPath.cardFeed(container: container),
            query: version.map { [URLQueryItem(name: "after", value: String($0))] } ?? [])
        guard !response.isNotModified else {
            guard version != nil else { throw CardConnectionError.unreadable("304 without a version") }
            let released = try await store.confirm(container, answered: answered)
            return await feeds.confirm(container, released: released)
        }
        let feed = try response.decoded(CardFeed.self)
        guard feed.containerID == container else {
            throw CardConnectionError.unreadable("the feed of another container came: \(feed.containerID)")
        }
        let saved = try await store.save(feed, body: response.body, answered: answered)
        if await feeds.take(feed, released: saved.released) { await updated(feed) }
    }
}
