import Foundation

/// The mirrors of one repository. A bad mirror costs time, never content.
///
/// Belongs to one actor, whose isolation its methods keep.
final class Mirrors {
    private let fetchers: [any TrustFetcher]
    /// Indices of `fetchers`, in the order in which they are asked.
    private(set) var order: [Int]
    let limits: TrustLimits
    let clock: any TrustClock

    init(_ fetchers: [any TrustFetcher], limits: TrustLimits, clock: any TrustClock, order: [Int]? = nil) {
        (self.fetchers, self.limits, self.clock) = (fetchers, limits, clock)
        self.order = order ?? Array(fetchers.indices)
    }

    /// Takes over the order that a concurrent download has found.
    func remember(_ order: [Int]) { self.order = order }

    /// Returns the first answer that `accept` takes; throws the gravest error of the mirrors when there is none.
    func first<Value: Sendable>(
        _ request: TrustRequest, isolation: isolated (any Actor)? = #isolation,
        accept: (Data) throws(TrustError) -> Value
    ) async throws(TrustError) -> Value {
        guard let value = try await firstIfAny(request, isMissingAllowed: false, accept: accept) else {
            throw TrustError(.notFound, "no such file", file: request.path)
        }
        return value
    }

    /// Works as `first`, but returns `nil` when some mirror has no such file and no mirror has an accepted one.
    ///
    /// For the end of a chain: a mirror that serves nonsense as the next link must not hide that the others have none.
    func firstIfAny<Value: Sendable>(
        _ request: TrustRequest, isMissingAllowed: Bool = true, isolation: isolated (any Actor)? = #isolation,
        accept: (Data) throws(TrustError) -> Value
    ) async throws(TrustError) -> Value? {
        var worst: TrustError?
        var isMissing = false
        // A copy: a concurrent download may change the order while this waits, and no mirror may be left out for it.
        for index in order {
            do {
                return try accept(try await bytes(request, from: fetchers[index]))
            } catch {
                if error.threat == .cancelled { throw error }
                isMissing = isMissing || error.threat == .notFound
                worst = Self.graver(worst, error.about(request.path))
                demote(index)
            }
        }
        if isMissing, isMissingAllowed { return nil }
        throw worst ?? TrustError(.unreachable, "there is no repository to ask", file: request.path)
    }

    /// Returns the answers of all mirrors, so that a mirror with old files cannot hide the newer files of another.
    func all(_ request: TrustRequest, isolation: isolated (any Actor)? = #isolation) async throws(TrustError)
        -> [Result<Data, TrustError>]
    {
        var answers: [Result<Data, TrustError>] = []
        for fetcher in fetchers {
            do {
                answers.append(.success(try await bytes(request, from: fetcher)))
            } catch {
                if error.threat == .cancelled { throw error }
                answers.append(.failure(error))
            }
        }
        return answers
    }

    /// Streams a file from the first mirror that delivers it; `begin` creates a new sink for each attempt.
    func stream<Value: Sendable>(
        _ request: TrustRequest, isolation: isolated (any Actor)? = #isolation,
        begin: () throws(TrustError) -> any DownloadSink<Value>
    ) async throws(TrustError) -> Value {
        var worst: TrustError?
        for index in order {
            let sink = try begin()
            do {
                try await Download.run(request, from: fetchers[index], limits: limits, clock: clock) {
                    try sink.write($0)
                }
                return try sink.finish()
            } catch {
                sink.abandon()
                if error.threat == .cancelled || error.threat == .storage { throw error }
                worst = Self.graver(worst, error.about(request.path))
                demote(index)
            }
        }
        throw worst ?? TrustError(.unreachable, "there is no repository to ask", file: request.path)
    }

    /// Returns the more serious of two errors: an attack, then a slow mirror, a missing file, an unreachable mirror.
    static func graver(_ one: TrustError?, _ other: TrustError) -> TrustError {
        guard let one else { return other }
        func weight(_ error: TrustError) -> Int {
            switch error.threat {
            case .unreachable: 0
            case .notFound: 1
            case .slowRetrieval: 2
            default: 3
            }
        }
        return weight(other) > weight(one) ? other : one
    }

    private func bytes(
        _ request: TrustRequest, from fetcher: any TrustFetcher, isolation: isolated (any Actor)? = #isolation
    ) async throws(TrustError) -> Data {
        let sink = MemorySink()
        try await Download.run(request, from: fetcher, limits: limits, clock: clock) { sink.write($0) }
        return sink.finish()
    }

    /// Moves a mirror from the front to the end, so that a mirror that hangs delays one file only.
    private func demote(_ index: Int) {
        guard order.first == index else { return }
        order.append(order.removeFirst())
    }
}
