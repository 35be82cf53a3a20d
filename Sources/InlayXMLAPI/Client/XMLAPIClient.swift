import Foundation
import InlayBehaviors
import InlayCore
@_spi(Inlay) import InlayWire

/// Posts operations to the marketing database, one after the other and safe from a crash.
///
/// A request is on disk before it is sent and leaves with its answer, in the order of posting. Without
/// a network it waits. A failed attempt is reported to the caller that waits for the answer, and ends the
/// request; a request without a waiting caller is tried again, as events are.
public final class XMLAPIClient: Sendable {
    static let lane = "xmlapi"
    private let session: SessionContext
    private let store: Store
    private let listID: @Sendable () -> String?
    private let waiters: XMLAPIWaiters
    private let ready: Task<Void, Never>

    /// `listID` is the list for requests that lack one; the network is asked before every attempt.
    init(
        _ session: SessionContext, listID: @escaping @Sendable () -> String?, network: any NetworkStatus
    ) {
        self.session = session
        store = session.store
        self.listID = listID
        let waiters = XMLAPIWaiters()
        self.waiters = waiters
        let (outbox, store, work) = (session.outbox, session.store, session.work)
        store.adopt(XMLAPIResponses.schema)
        let lane = OutboxLane(
            name: Self.lane, wire: XMLAPIWire(waiters: waiters, network: network), batchSize: 1,
            maximumTries: 4, retry: RetryRule(first: .seconds(1), maximum: .seconds(3600)))
        // Ends once the lane is there.
        ready = session.work.prepare {
            let outcomes = await outbox.outcomes(lane: Self.lane)
            await outbox.register(lane) { try XMLAPIResponses.settle($1, in: $0) }
            // Ends with the outcomes, at log-out.
            work.start {
                for await outcome in outcomes { await waiters.settle(outcome.id, store) }
                waiters.end()
            }
        }
        let (changes, ready) = (network.changes(), ready)
        // Ends with the network's news, or at log-out.
        session.work.start {
            await ready.value
            for await isReachable in changes where isReachable { await outbox.flush(lane: Self.lane) }
        }
    }

    /// Posts a request and waits for its answer, however long the network is away.
    ///
    /// A failed attempt throws its error and is not repeated, so that posting the request anew cannot do it
    /// twice. If the app ends before the answer came, the request is sent at the next start.
    public func send(_ request: XMLAPIRequest) async throws(XMLAPIError) -> XMLAPIResponse {
        try await finish(try await begin(request))
    }

    /// The first half of `send`: stores the request. `finish` must follow.
    package func begin(_ request: XMLAPIRequest) async throws(XMLAPIError) -> String {
        let id = UUIDv7.make(at: session.serverClock.now())
        waiters.expect(id, reportsFailure: true)
        do throws(XMLAPIError) { try await store(request, id) } catch {
            waiters.forget(id)
            throw error
        }
        flushSoon()
        return id
    }

    /// The second half of `send`: waits for the answer.
    package func finish(_ id: String) async throws(XMLAPIError) -> XMLAPIResponse {
        try await waiters.answer(id)
    }

    /// Stores a request and returns its id; it is sent when it can be, and tried until the server took
    /// or refused it.
    @discardableResult
    public func post(_ request: XMLAPIRequest) async throws(XMLAPIError) -> String {
        let id = UUIDv7.make(at: session.serverClock.now())
        try await store(request, id)
        flushSoon()
        return id
    }

    /// The answer to a request that was posted, also by an earlier run; waits until it is there.
    ///
    /// The newest 64 answers are kept.
    public func answer(to id: String) async throws(XMLAPIError) -> XMLAPIResponse {
        await ready.value
        // Before looking: an answer that comes meanwhile must not be missed.
        waiters.expect(id, reportsFailure: false)
        do throws(XMLAPIError) {
            if let known = try await XMLAPIResponses.answer(id, store) {
                waiters.forget(id)
                return try known.get()
            }
            guard try await isPending(id) else { throw .unknownRequest }
        } catch {
            waiters.forget(id)
            throw error
        }
        return try await waiters.answer(id)
    }

    /// The ids of the requests that wait to be sent, in order.
    public func pending() async throws(XMLAPIError) -> [String] {
        await ready.value
        do { return try await session.outbox.pending(lane: Self.lane).map(\.id) } catch {
            throw .notStored(error)
        }
    }

    /// Sends what waits now; returns when it is gone or sending failed.
    public func flush() async {
        await ready.value
        await session.outbox.flush(lane: Self.lane)
    }

    /// The request as it will be sent, with the configured list when it lacks one.
    public func filled(_ request: XMLAPIRequest) -> XMLAPIRequest { request.filled(listID: listID()) }

    /// Whether requests that lack a list can be filled.
    var hasList: Bool { listID() != nil }

    private func flushSoon() {
        // Ends when nothing waits or sending failed.
        session.work.start { [self] in await flush() }
    }

    private func isPending(_ id: String) async throws(XMLAPIError) -> Bool {
        // The item may have been settled between the two looks.
        if try await pending().contains(id) { return true }
        return try await XMLAPIResponses.answer(id, store) != nil
    }

    private func store(_ request: XMLAPIRequest, _ id: String) async throws(XMLAPIError) {
        await ready.value
        let body: Data
        do throws(XMLError) { body = try filled(request).envelope.document() } catch {
            throw .invalid(error)
        }
        do {
            try await session.outbox.enqueue(
                id: id, body: body, time: session.serverClock.now(), lane: Self.lane)
        } catch OutboxError.loggedOut {
            throw .loggedOut
        } catch OutboxError.itemTooLarge(let bytes) {
            throw .tooLarge(bytes: bytes)
        } catch {
            throw .notStored(error)
        }
    }
}
