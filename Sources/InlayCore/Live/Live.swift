import Foundation
@_spi(Inlay) import InlayWire

/// A notifier that tells subscribers to look for changes: by one WebSocket, or by polls while it does not work.
///
/// Without subscribers there is no socket and no timer.
package actor Live {
    /// The way in which a connection ended.
    private enum Ending {
        /// The server closed the connection normally, as it does when the token expires or before a restart.
        case closed
        case failed(APIError)
    }

    private enum Mode { case idle, connecting, connected, polling }

    /// The limit for opening the socket, and then for the server's `hello`; after it, polling takes over.
    static let connectLimit = Duration.seconds(10)
    /// A connection that lasted this long resets the count of failures.
    static let stableAfter = Duration.seconds(30)
    // Signals carry no state, so a subscriber that lags loses nothing with the oldest.
    private static let maximumBacklog = 64

    private let session: SessionCore
    private let api: APIClient
    private let random: @Sendable () -> Double
    private let retry = RetryRule(first: .seconds(1), maximum: .seconds(60))
    private var liveProtocol: SessionConfiguration.LiveProtocol
    private var mode = Mode.idle
    private var subscribers: LiveSubscribers
    private var connections = 0
    private var connection: (id: Int, task: Task<Void, Never>)?
    private var socket: (any TransportSocket)?
    private var openedSockets = 0
    private var versions: [String: Int64] = [:]
    private var topicsAreDue = false
    /// The number of the socket that topics are being sent over.
    private var announcing: Int?
    private var isEnded = false

    init(
        session: SessionCore, api: APIClient, liveProtocol: SessionConfiguration.LiveProtocol,
        random: @escaping @Sendable () -> Double
    ) {
        self.session = session
        self.api = api
        self.liveProtocol = liveProtocol
        self.random = random
        subscribers = LiveSubscribers(clock: session.clock, work: session.work)
    }

    /// Returns the signals for one topic, until the stream is dropped or the session ends.
    ///
    /// While there is no socket, yields `.poll` every `pollEvery`, at least 1 s; `nil` and 0 mean never.
    package func subscribe(topic: String, pollEvery: Duration?) -> AsyncStream<LiveSignal> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LiveSignal.self, bufferingPolicy: .bufferingNewest(Self.maximumBacklog))
        guard !isEnded else {
            continuation.finish()
            return stream
        }
        let id = subscribers.add(topic, pollEvery: pollEvery, continuation)
        let work = session.work
        continuation.onTermination = { [weak self] _ in
            // Ends as soon as the actor is free.
            work.start { [weak self] in await self?.unsubscribe(id) }
        }
        if mode == .connected { continuation.yield(.connected) }
        if mode == .polling { subscribers.startPolls() }
        start()
        announceTopics()
        return stream
    }

    /// Sets the live protocol, at once and for as long as the session lasts.
    package func setProtocol(_ new: SessionConfiguration.LiveProtocol) {
        guard new != liveProtocol, !isEnded else { return }
        liveProtocol = new
        session.log.operation("live protocol: \(new)")
        disconnect()
        if new == .http, mode == .connected { subscribers.notify(.disconnected) }
        mode = .idle
        start()
    }

    /// Ends the socket, the polls and every stream.
    func end() {
        isEnded = true
        disconnect()
        mode = .idle
        subscribers.finish()
    }

    private func unsubscribe(_ id: Int) {
        guard subscribers.remove(id) else { return }
        if subscribers.isEmpty {
            disconnect()
            mode = .idle
        } else {
            announceTopics()
        }
    }

    private func start() {
        guard mode == .idle, !subscribers.isEmpty, !isEnded else { return }
        guard liveProtocol == .webSocket else { return poll() }
        mode = .connecting
        connections += 1
        let id = connections
        // Ends when the protocol changes, the last subscriber goes, or the session ends: `disconnect`.
        connection = (id, session.work.start { [weak self] in await self?.keepConnected(id) })
    }

    private func disconnect() {
        connection?.task.cancel()
        connection = nil
        if let socket {
            session.work.start { await socket.close() }
        }
        socket = nil
        versions = [:]
    }
}

// MARK: - The socket

extension Live {
    private func keepConnected(_ id: Int) async {
        var failures = 0
        while isCurrent(id) {
            let began = session.clock.now()
            let end = await connectOnce(id)
            guard isCurrent(id) else { return }
            if session.clock.now() - began >= Self.stableAfter { failures = 0 }
            failures += 1
            switch end {
            case .closed where failures == 1: reconnecting()
            case .closed: lost(APIError(.network(.cut("closed again"))))
            case .failed(let failure):
                lost(failure)
                // The transport has no sockets and never will; polling goes on without further attempts.
                if case .network(.unsupported) = failure.kind { return }
            }
            let delay = retry.delay(failures: failures, random: random())
            guard (try? await session.clock.sleep(for: delay)) != nil else { return }
        }
    }

    /// Opens a socket and reads it to its end, which always comes.
    private func connectOnce(_ id: Int) async -> Ending {
        let opened: any TransportSocket
        do { opened = try await api.openSocket(timeout: Self.connectLimit) } catch { return .failed(error) }
        guard isCurrent(id) else {
            await opened.close()
            return .closed
        }
        socket = opened
        openedSockets += 1
        let clock = session.clock
        // Cancelled by the server's `hello`; otherwise the socket is closed.
        let watchdog = session.work.start {
            guard (try? await clock.sleep(for: Self.connectLimit)) != nil else { return }
            await opened.close()
        }
        var isBroken = false
        do {
            for try await text in opened.messages {
                guard isCurrent(id) else { break }
                if await received(text) { watchdog.cancel() }
            }
        } catch {
            isBroken = true
        }
        watchdog.cancel()
        if isCurrent(id) { socket = nil }
        await opened.close()
        return isBroken || mode != .connected ? .failed(APIError(.network(.cut("socket")))) : .closed
    }

    /// Handles a message; returns whether it was the server's `hello`.
    private func received(_ text: String) async -> Bool {
        guard let message = try? JSONDecoder().decode(LiveMessage.self, from: Data(text.utf8)) else {
            session.log.trace("live: an unreadable message was ignored")
            return false
        }
        switch message {
        case .hello:
            connected()
            return true
        case .changed(let topic, let version): changed(topic, version)
        case .subscribe, .unknown: session.log.trace("live: an unknown message was ignored")
        }
        return false
    }

    private func connected() {
        guard mode != .connected else { return }
        session.log.operation("live: connected")
        mode = .connected
        subscribers.stopPolls()
        announceTopics()
        subscribers.notify(.connected)
    }

    // No failure yet, so no event and no polls: one more try follows within a second.
    private func reconnecting() {
        session.log.operation("live: closed by the server, connecting again")
        versions = [:]
        mode = .connecting
        subscribers.notify(.disconnected)
    }

    private func lost(_ failure: APIError) {
        versions = [:]
        guard mode != .polling else { return }
        let wasConnected = mode == .connected
        session.log.operation("live: no socket, polling")
        if case .network = failure.kind { api.reportFailure(path: InlayPath.socket) }
        if wasConnected { subscribers.notify(.disconnected) }
        poll()
    }

    private func changed(_ topic: String, _ version: Int64) {
        // A repeated or late message has nothing new. The versions are forgotten with the socket, because a server that
        // was restored from a backup has lower ones.
        if let known = versions[topic], known >= version { return }
        versions[topic] = version
        subscribers.notify(.changed(version: version), topic: topic)
    }

    // One sender for each socket: two could overtake each other, and the server keeps the last list. A message that is
    // still under way on a broken socket must not delay the list on the next one.
    private func announceTopics() {
        guard mode == .connected, let socket else { return }
        topicsAreDue = true
        let number = openedSockets
        guard announcing != number else { return }
        announcing = number
        // Ends when the newest list is sent, or with its socket.
        session.work.start { [weak self] in await self?.sendTopics(socket, number) }
    }

    private func sendTopics(_ socket: any TransportSocket, _ number: Int) async {
        while topicsAreDue, mode == .connected, openedSockets == number {
            topicsAreDue = false
            let topics = subscribers.topics
            versions = versions.filter { topics.contains($0.key) }
            guard let text = try? JSONEncoder().encode(LiveMessage.subscribe(topics: topics)) else {
                continue
            }
            // The error is ignored, because the reader of the socket gets it too.
            try? await socket.send(String(decoding: text, as: UTF8.self))
        }
        if announcing == number { announcing = nil }
    }

    private func poll() {
        mode = .polling
        subscribers.startPolls()
    }

    private func isCurrent(_ id: Int) -> Bool { connection?.id == id && !Task.isCancelled && !isEnded }
}
