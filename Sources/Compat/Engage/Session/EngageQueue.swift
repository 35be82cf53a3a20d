internal import InlayCore

/// Does one thing after the other, in the order of the calls.
final class EngageQueue: Sendable {
    private let jobs: AsyncStream<@Sendable () async -> Void>.Continuation
    private let worker: Task<Void, Never>

    init() {
        let (stream, jobs) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
        self.jobs = jobs
        // Ends with the stream, see `end`.
        worker = Task { for await job in stream { await job() } }
    }

    /// Adds something to do; does nothing after the end.
    func add(_ job: @escaping @Sendable () async -> Void) { jobs.yield(job) }

    /// Returns when everything that was added before is done.
    func drained() async {
        await withCheckedContinuation { continuation in
            let result = jobs.yield { continuation.resume() }
            if case .terminated = result { continuation.resume() }
        }
    }

    /// Ends after what was added before.
    func end() { jobs.finish() }
}
