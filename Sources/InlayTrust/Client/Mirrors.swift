import Foundation

/// The places that serve one repository. A bad one costs time, never content.
///
/// Belongs to one actor, whose isolation its methods keep.
final class Mirrors {
    private let fetchers: [any TrustFetcher]
    /// The fetchers by their places, the one to ask first in front.
    private(set) var order: [Int]
    let limits: TrustLimits
    let clock: any TrustClock

    init(_ fetchers: [any TrustFetcher], limits: TrustLimits, clock: any TrustClock, order: [Int]? = nil) {
        (self.fetchers, self.limits, self.clock) = (fetchers, limits, clock)
        self.order = order ?? Array(fetchers.indices)
    }

    /// Takes over what a download beside this learned about who answers.
    func remember(_ order: [Int]) { self.order = order }

    /// The first answer that is accepted; of what the mirrors did wrong the gravest is thrown.
    func first<Value: Sendable>(
        _ request: TrustRequest, isolation: isolated (any Actor)? = #isolation,
        accept: (Data) throws(TrustError) -> Value
    ) async throws(TrustError) -> Value {
        guard let value = try await firstIfAny(request, isMissingAllowed: false, accept: accept) else {
            throw TrustError(.notFound, "no such file", file: request.path)
        }
        return value
    }

    /// Like `first`; `nil` when some mirror knows no such file and none has a right one.
    ///
    /// For the end of a chain: a mirror that answers nonsense for the next link must not hide that the others
    /// have none.
    func firstIfAny<Value: Sendable>(
        _ request: TrustRequest, isMissingAllowed: Bool = true, isolation: isolated (any Actor)? = #isolation,
        accept: (Data) throws(TrustError) -> Value
    ) async throws(TrustError) -> Value? {
        var worst: TrustError?
        var isMissing = false
        for _ in fetchers.indices {
            do {
                return try accept(try await bytes(request, from: fetchers[order[0]]))
            } catch {
                if error.threat == .cancelled { throw error }
                isMissing = isMissing || error.threat == .notFound
                worst = Self.graver(worst, error.about(request.path))
                demoteFirst()
            }
        }
        if isMissing, isMissingAllowed { return nil }
        throw worst ?? TrustError(.unreachable, "there is no repository to ask", file: request.path)
    }

    /// The answers of all mirrors, so that one that serves old files cannot hide the newer of another.
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

    /// Streams a file from the first mirror that can; `begin` starts the sink afresh for each try.
    func stream<Value: Sendable>(
        _ request: TrustRequest, isolation: isolated (any Actor)? = #isolation,
        begin: () throws(TrustError) -> any DownloadSink<Value>
    ) async throws(TrustError) -> Value {
        var worst: TrustError?
        for _ in fetchers.indices {
            let sink = try begin()
            do {
                try await Download.run(request, from: fetchers[order[0]], limits: limits, clock: clock) {
                    try sink.write($0)
                }
                return try sink.finish()
            } catch {
                sink.abandon()
                if error.threat == .cancelled || error.threat == .storage { throw error }
                worst = Self.graver(worst, error.about(request.path))
                demoteFirst()
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

    /// The next file is asked of the others first: a mirror that hangs costs its wait once.
    private func demoteFirst() {
        guard order.count > 1 else { return }
        order.append(order.removeFirst())
    }
}
