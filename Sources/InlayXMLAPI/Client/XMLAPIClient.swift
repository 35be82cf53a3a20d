import Foundation
import InlayBehaviors
import InlayCore
@_spi(Inlay) import InlayWire

/// A client that posts operations to the marketing database, one after another and without loss in a crash.
///
/// A request is stored on disk before it is sent, removed with its response, and sent in the order of posting. It waits
/// while there is no network. A failed attempt ends a request whose caller waits for the response, and the caller
/// receives the error; a request without a waiting caller is tried again, as events are.
public final class XMLAPIClient: Sendable {
    static let lane = "xmlapi"
    private let session: SessionContext
    private let store: Store
    private let listID: @Sendable () -> String?
    private let waiters: XMLAPIWaiters
    private let ready: Task<Void, Never>

    /// `listID` is the list for requests that lack one; `network` is checked before every attempt.
    init(
        _ session: SessionContext, listID: @escaping @Sendable () -> String?, network: any NetworkStatus
    ) {
        self.session = session
        store = session.store
        self.listID = listID
        let waiters = XMLAPIWaiters()
        self.waiters = waiters
        let (outbox, store, work) = (session.outbox, session.store, session.work)
        store.register(XMLAPIResponses.schema)
        let lane = OutboxLane(
            name: Self.lane, carrier: XMLAPIWire(waiters: waiters, network: network), batchSize: 1,
            maximumTries: 4, retry: RetryRule(first: .seconds(1), maximum: .seconds(3600)))
        // Ends when the lane is registered.
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
        // Ends with the network's changes, or at log-out.
        session.work.start {
            await ready.value
            for await isReachable in changes where isReachable { await outbox.flush(lane: Self.lane) }
        }
    }

    /// Posts a request and waits for its response, however long there is no network.
    ///
    /// A failed attempt throws its error and is not repeated, so that the caller can post the request again without
    /// running it twice. If the app ends before the response arrived, the request is sent at the next start.
    public func send(_ request: XMLAPIRequest) async throws(XMLAPIError) -> XMLAPIResponse {
        try await finish(try await begin(request))
    }

    /// Stores a request, as the first half of `send`; `finish` must follow.
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

    /// Waits for the response, as the second half of `send`.
    package func finish(_ id: String) async throws(XMLAPIError) -> XMLAPIResponse {
        try await waiters.response(to: id)
    }

    /// Stores a request and returns its id. The request is sent as soon as possible, and tried until the server
    /// accepted or refused it.
    @discardableResult
    public func post(_ request: XMLAPIRequest) async throws(XMLAPIError) -> String {
        let id = UUIDv7.make(at: session.serverClock.now())
        try await store(request, id)
        flushSoon()
        return id
    }

    /// Returns the response to a posted request, also of an earlier run of the app; waits until it has arrived.
    ///
    /// The newest 64 responses are kept.
    public func answer(to id: String) async throws(XMLAPIError) -> XMLAPIResponse {
        await ready.value
        // Registered before the lookup, so that a response in the meantime is not missed.
        waiters.expect(id, reportsFailure: false)
        do throws(XMLAPIError) {
            if let known = try await XMLAPIResponses.outcome(of: id, in: store) {
                waiters.forget(id)
                return try known.get()
            }
            guard try await isPending(id) else { throw .unknownRequest }
        } catch {
            waiters.forget(id)
            throw error
        }
        return try await waiters.response(to: id)
    }

    /// Returns the ids of the requests that wait to be sent, in order.
    public func pending() async throws(XMLAPIError) -> [String] {
        await ready.value
        do { return try await session.outbox.pending(lane: Self.lane).map(\.id) } catch {
            throw .notStored(error)
        }
    }

    /// Sends the waiting requests; returns when they are sent or sending failed.
    public func flush() async {
        await ready.value
        await session.outbox.flush(lane: Self.lane)
    }

    /// Returns the request as it will be sent, with the configured list when it lacks one.
    public func filled(_ request: XMLAPIRequest) -> XMLAPIRequest { request.filled(listID: listID()) }

    /// Whether there is a list for requests that lack one.
    var hasList: Bool { listID() != nil }

    private func flushSoon() {
        // Ends when no request waits or sending failed.
        session.work.start { [self] in await flush() }
    }

    private func isPending(_ id: String) async throws(XMLAPIError) -> Bool {
        // The item may have been settled between the two checks.
        if try await pending().contains(id) { return true }
        return try await XMLAPIResponses.outcome(of: id, in: store) != nil
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
