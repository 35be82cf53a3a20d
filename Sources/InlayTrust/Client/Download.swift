import Foundation
@_spi(Inlay) import InlayWire

/// The download of one file, which fails when the file has too many bytes or arrives too slowly.
final class Download: @unchecked Sendable {
    // `@unchecked`: what changes is only touched between `lock` and `unlock`.
    private let lock = NSLock()
    private let request: TrustRequest
    private let sink: @Sendable (Data) throws -> Void
    private var received = 0
    private var failure: TrustError?

    private init(_ request: TrustRequest, sink: @escaping @Sendable (Data) throws -> Void) {
        (self.request, self.sink) = (request, sink)
    }

    /// Fetches a file into a sink, which is called on one thread at a time.
    static func run(
        _ request: TrustRequest, from fetcher: any TrustFetcher, limits: TrustLimits, clock: any TrustClock,
        isolation: isolated (any Actor)? = #isolation, sink: @escaping @Sendable (Data) throws -> Void
    ) async throws(TrustError) {
        let download = Download(request, sink: sink)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await fetcher.fetch(request) { try download.receive($0) } }
                group.addTask { try await download.watch(limits, clock) }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch { throw download.translated(error) }
        // A fetcher may have ignored the error that `receive` threw.
        if let failure = download.locked({ download.failure }) { throw failure }
    }

    private func receive(_ data: Data) throws {
        try locked {
            if let failure { throw failure }
            do {
                // Compared before the sum, which cannot overflow then.
                guard data.count <= request.maximumBytes - received else {
                    throw TrustError(
                        .endlessData, "more than \(request.maximumBytes) bytes", file: request.path)
                }
                received += data.count
                try sink(data)
            } catch {
                let refusal = error as? TrustError ?? TrustError(.storage, "\(error)", file: request.path)
                failure = refusal
                throw refusal
            }
        }
    }

    /// Watches the speed. Ends only by throwing: when too little arrived in a window, or at the deadline.
    private func watch(_ limits: TrustLimits, _ clock: any TrustClock) async throws {
        let deadline = request.tree == .metadata ? limits.metadataDeadline : limits.targetDeadline
        let window = request.tree == .metadata ? limits.slowWindow : limits.targetWindow ?? limits.slowWindow
        let minimumBytes = Double(limits.minimumBytesPerSecond) * window.inSeconds
        var (waited, seen) = (Duration.zero, 0)
        while waited < deadline {
            let step = min(window, deadline - waited)
            try await clock.sleep(for: step)
            waited += step
            let now = locked { received }
            defer { seen = now }
            if step == window, Double(now - seen) < minimumBytes { break }
        }
        throw TrustError(.slowRetrieval, "\(seen) bytes in \(waited)", file: request.path)
    }

    private func translated(_ error: any Error) -> TrustError {
        if let failure = locked({ failure }) { return failure }
        switch error {
        case let error as TrustError: return error
        case is CancellationError:
            return TrustError(.cancelled, "the caller stopped waiting", file: request.path)
        case TrustFetchError.notFound: return TrustError(.notFound, "no such file", file: request.path)
        case TrustFetchError.unreachable(let why): return TrustError(.unreachable, why, file: request.path)
        default: return TrustError(.unreachable, "\(error)", file: request.path)
        }
    }

    private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }
}

extension Duration {
    fileprivate var inSeconds: Double { Double(microseconds) / 1_000_000 }
}
