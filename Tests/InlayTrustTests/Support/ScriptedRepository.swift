import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust

/// A server whose responses a test sets, and that records its requests.
final class ScriptedRepository: TrustFetcher {
    /// The answer to a request for a file.
    enum Reply: Sendable {
        case bytes(Data)
        case missing
        case unreachable
        /// An endless sequence of chunks.
        case endless(chunk: Int)
        /// Some bytes, then nothing until the caller cancels.
        case stalled(after: Data)
        /// The number of bytes for each second of the clock.
        case dripping(Int)
    }

    private struct State {
        var metadata: [String: Reply] = [:]
        var targets: [String: Reply] = [:]
        var requests: [String] = []
        var sentBytes = 0
    }

    private let state = Locked(State())
    private let clock: ManualClock

    init(clock: ManualClock = ManualClock()) { self.clock = clock }

    /// Serves these metadata files in addition to the present ones.
    func serve(_ files: [String: Data]) {
        state.withLock { state in for (name, bytes) in files { state.metadata[name] = .bytes(bytes) } }
    }

    /// Serves all of a repository's metadata.
    func serve(_ repository: TrustRepository) { serve(repository.files) }

    func answer(_ name: String, _ answer: Reply) { state.withLock { $0.metadata[name] = answer } }

    func answerTarget(_ path: String, _ answer: Reply) { state.withLock { $0.targets[path] = answer } }

    /// Serves a target under its hash.
    func serve(_ contents: Data, as target: TargetFile) {
        answerTarget(target.publishedPath(consistent: true), .bytes(contents))
    }

    /// The requested URL paths, in order.
    var requests: [String] { state.withLock { $0.requests } }

    /// The number of bytes that were sent.
    var sentBytes: Int { state.withLock { $0.sentBytes } }

    func forgetRequests() { state.withLock { $0.requests = [] } }

    func fetch(_ request: TrustRequest, receive: @escaping @Sendable (Data) throws -> Void) async throws {
        let answer = state.withLock { state in
            state.requests.append(request.urlPath)
            return (request.tree == .metadata ? state.metadata : state.targets)[request.path] ?? .missing
        }
        switch answer {
        case .bytes(let bytes): try send(bytes, receive)
        case .missing: throw TrustFetchError.notFound
        case .unreachable: throw TrustFetchError.unreachable("nobody there")
        case .endless(let chunk): while true { try send(Data(count: chunk), receive) }
        case .stalled(let first):
            if !first.isEmpty { try send(first, receive) }
            while true { try await clock.sleep(for: .days(36_500)) }
        case .dripping(let count):
            while true {
                try await clock.sleep(for: .seconds(1))
                try send(Data(count: count), receive)
            }
        }
    }

    private func send(_ bytes: Data, _ receive: @Sendable (Data) throws -> Void) throws {
        state.withLock { $0.sentBytes += bytes.count }
        try receive(bytes)
    }
}
