/// A lookup of hosts, with one query for each host at a time and a limit on the wait for it. A `Host` is a name, or a
/// name with what else a lookup depends on.
///
/// A resolver takes as long as the name's own servers take, and cannot be stopped. So all callers give up a late query,
/// and nobody makes another one for the host until it returns: each would cost another thread.
package actor HostLookups<Host: Hashable & Sendable> {
    /// Finds the addresses of a host; may take for ever.
    package typealias Resolve = @Sendable (_ host: Host) async throws -> [String]

    private struct Query {
        let asker: String
        var isLate = false
        var waiting: [Int: CheckedContinuation<[String], any Error>] = [:]
    }

    /// The maximum number of queries of one asker at once, late ones included.
    static var maximumPerAsker: Int { 32 }

    private let limit: Duration
    private let resolve: Resolve
    private var queries: [Host: Query] = [:]
    private var lastWaiter = 0

    package init(limit: Duration, resolve: @escaping Resolve) {
        self.limit = limit
        self.resolve = resolve
    }

    /// The number of callers that wait for an answer now.
    var waiting: Int { queries.values.reduce(0) { $0 + $1.waiting.count } }

    /// Returns the addresses of the host, within the limit. The query counts for the asker. Throws when the task is
    /// cancelled.
    package func addresses(of host: Host, for asker: String) async throws -> [String] {
        if let known = queries[host] {
            if known.isLate { throw LookupFailure.late }
        } else {
            guard queries.values.count(where: { $0.asker == asker }) < Self.maximumPerAsker else {
                throw LookupFailure.tooMany
            }
            queries[host] = Query(asker: asker)
            startQuery(host)
        }
        lastWaiter += 1
        let waiter = lastWaiter
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                queries[host]?.waiting[waiter] = continuation
            }
        } onCancel: {
            // This task ends at once. It runs after the continuation is stored, or finds none.
            Task { await self.stopWaiting(waiter, for: host) }
        }
    }

    private func stopWaiting(_ waiter: Int, for host: Host) {
        queries[host]?.waiting.removeValue(forKey: waiter)?.resume(throwing: CancellationError())
    }

    private func startQuery(_ host: Host) {
        let (limit, resolve) = (limit, resolve)
        // This task ends when the query returns, which cancels it.
        let timer = Task {
            // It has to be a sleep, because the resolver reports nothing until it has an answer.
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            giveUp(host)
        }
        // This task ends when the resolver does, which cannot be stopped.
        Task {
            let result: Result<[String], any Error>
            do { result = .success(try await resolve(host)) } catch { result = .failure(error) }
            // From here on, the timer of this query marks no other query as late.
            timer.cancel()
            queries.removeValue(forKey: host)?.waiting.values.forEach { $0.resume(with: result) }
        }
    }

    private func giveUp(_ host: Host) {
        // The query returned while this call waited for the actor: the entry is that of another query.
        guard !Task.isCancelled else { return }
        queries[host]?.isLate = true
        let waiting = queries[host]?.waiting ?? [:]
        queries[host]?.waiting = [:]
        for waiter in waiting.values { waiter.resume(throwing: LookupFailure.late) }
    }
}

/// The reason why a lookup ended without an answer.
enum LookupFailure: Error, CustomStringConvertible {
    /// No address in time.
    case late
    /// The asker has too many queries under way.
    case tooMany

    var description: String {
        switch self {
        case .late: "the host's name was not found in time"
        case .tooMany: "too many of the names that it uses are being looked up"
        }
    }
}
