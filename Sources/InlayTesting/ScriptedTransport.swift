import Foundation
public import InlayCore

/// A scripted server: responses by path, held requests, and sockets.
public final class ScriptedTransport: Transport {
    private struct HeldRequest {
        let path: String
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var queues: [String: [ScriptedResponse]] = [:]
        var rules: [String: ScriptedResponse] = [:]
        var heldPaths: Set<String> = []
        var held: [Int: HeldRequest] = [:]
        var requests: [TransportRequest] = []
        var socketRequests: [TransportRequest] = []
        var socketAnswers: [ScriptedSocketResponse] = []
        var socketRule = ScriptedSocketResponse.refuse(status: 404)
        var sockets: [ScriptedSocket] = []
        var nextID = 0
    }

    private let state = Locked(State())
    private let signal = ConditionSignal()

    /// Creates a server that responds with 404 to every request and refuses sockets.
    public init() {}

    // MARK: Script

    /// Sets the response to all requests of a path for which `next` set none.
    public func always(_ path: String, _ answer: ScriptedResponse) {
        state.withLock { $0.rules[path] = answer }
    }

    /// Sets the responses to the next requests of a path, one each.
    public func next(_ path: String, _ answers: ScriptedResponse...) {
        state.withLock { $0.queues[path, default: []] += answers }
    }

    /// Holds requests of a path, from now on, until they are released.
    public func hold(_ path: String) { state.withLock { _ = $0.heldPaths.insert(path) } }

    /// Continues the oldest held request of a path; waits until there is one.
    public func releaseOne(_ path: String) async throws {
        try await untilHeld(path)
        let held = state.withLock { state -> HeldRequest? in
            let oldest = state.held.filter { $0.value.path == path }.min { $0.key < $1.key }
            return oldest.flatMap { state.held.removeValue(forKey: $0.key) }
        }
        held?.continuation.resume(returning: true)
    }

    /// Continues all held requests of a path, and holds no more.
    public func release(_ path: String) {
        let held = state.withLock { state in
            state.heldPaths.remove(path)
            let released = state.held.filter { $0.value.path == path }
            released.keys.forEach { state.held[$0] = nil }
            return released.sorted { $0.key < $1.key }.map(\.value)
        }
        held.forEach { $0.continuation.resume(returning: true) }
    }

    /// Sets the response to all attempts to open a socket for which `nextSocket` set none.
    public func alwaysSocket(_ answer: ScriptedSocketResponse) { state.withLock { $0.socketRule = answer } }

    /// Sets the responses to the next attempts to open a socket.
    public func nextSocket(_ answers: ScriptedSocketResponse...) {
        state.withLock { $0.socketAnswers += answers }
    }

    // MARK: Results

    /// All requests so far, without sockets.
    public var requests: [TransportRequest] { state.withLock { $0.requests } }

    /// The requests of one path so far.
    public func requests(_ path: String) -> [TransportRequest] { requests.filter { $0.url.path == path } }

    /// The attempts to open a socket so far.
    public var socketRequests: [TransportRequest] { state.withLock { $0.socketRequests } }

    /// The sockets that were opened so far, closed ones included.
    public var sockets: [ScriptedSocket] { state.withLock { $0.sockets } }

    /// Waits until a path has received this many requests in all, and returns them.
    @discardableResult
    public func untilRequests(
        _ path: String, _ count: Int = 1, within limit: Duration = WaitTimedOut.limit
    ) async throws -> [TransportRequest] {
        try await signal.until(
            within: limit, "\(count) requests of \(path), not \(self.requests(path).count)"
        ) {
            self.requests(path).count >= count
        }
        return requests(path)
    }

    /// Waits for this many attempts to open a socket in all.
    public func untilSocketRequests(_ count: Int = 1, within limit: Duration = WaitTimedOut.limit)
        async throws
    {
        try await signal.until(within: limit, "\(count) socket requests, not \(self.socketRequests.count)") {
            self.socketRequests.count >= count
        }
    }

    /// Waits for this many open sockets in all, and returns the last of them.
    @discardableResult
    public func untilSocket(_ count: Int = 1, within limit: Duration = WaitTimedOut.limit) async throws
        -> ScriptedSocket
    {
        try await signal.until(within: limit, "\(count) sockets") { self.sockets.count >= count }
        return sockets[count - 1]
    }

    /// Waits until this many requests of a path are held.
    public func untilHeld(_ path: String, _ count: Int = 1, within limit: Duration = WaitTimedOut.limit)
        async throws
    {
        try await signal.until(within: limit, "\(count) held requests of \(path)") {
            self.state.withLock { state in state.held.values.filter { $0.path == path }.count } >= count
        }
    }

    // MARK: Transport

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let path = request.url.path
        let (answer, isHeld) = state.withLock { state -> (ScriptedResponse, Bool) in
            state.requests.append(request)
            if var queue = state.queues[path], !queue.isEmpty {
                let answer = queue.removeFirst()
                state.queues[path] = queue
                return (answer, state.heldPaths.contains(path))
            }
            return (state.rules[path] ?? .status(404), state.heldPaths.contains(path))
        }
        signal.changed()
        if isHeld { try await wait(path) }
        return try await answer.response(to: request)
    }

    public func openSocket(_ request: TransportRequest) async throws(TransportError) -> any TransportSocket {
        let answer = state.withLock { state in
            state.socketRequests.append(request)
            return state.socketAnswers.isEmpty ? state.socketRule : state.socketAnswers.removeFirst()
        }
        signal.changed()
        switch answer {
        case .refuse(let status): throw .upgradeRefused(status: status)
        case .fail(let error): throw error
        case .accept(let hello):
            let socket = ScriptedSocket(hello: hello)
            state.withLock { $0.sockets.append(socket) }
            signal.changed()
            return socket
        }
    }

    private func wait(_ path: String) async throws(TransportError) {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let isReleased = await withTaskCancellationHandler {
            await withCheckedContinuation { enter(HeldRequest(path: path, continuation: $0), id) }
        } onCancel: {
            state.withLock { $0.held.removeValue(forKey: id) }?.continuation.resume(returning: false)
        }
        guard isReleased else { throw .cancelled }
    }

    private func enter(_ held: HeldRequest, _ id: Int) {
        let isHeld = state.withLock { state in
            // `release` may have been called since the request was marked as held.
            guard state.heldPaths.contains(held.path) else { return false }
            state.held[id] = held
            return true
        }
        guard isHeld else { return held.continuation.resume(returning: true) }
        signal.changed()
        // When the task was cancelled before the entry existed, the cancellation handler found nothing.
        if Task.isCancelled {
            state.withLock { $0.held.removeValue(forKey: id) }?.continuation.resume(returning: false)
        }
    }
}

/// The response to an attempt to open a socket.
public enum ScriptedSocketResponse: Sendable {
    /// The upgrade is refused with this status.
    case refuse(status: Int)
    /// The attempt fails with this error.
    case fail(TransportError)
    /// The socket opens; with `hello` the server sends its hello at once, as the real one does.
    case accept(hello: Bool)

    /// The socket opens with the server's hello.
    public static var accept: Self { .accept(hello: true) }
}
