/// Looks up hosts, each once at a time, and nobody waits long for it. A `Host` is a name, or a name with what else a
/// lookup depends on.
///
/// A resolver takes as long as the name's own servers like, and cannot be stopped. So a question that is late is
/// given up by all who wait for it, and until it comes back nobody asks it again: each would cost another thread.
package actor HostLookups<Host: Hashable & Sendable> {
    /// Finds the addresses of a host; may take for ever.
    package typealias Resolve = @Sendable (_ host: Host) async throws -> [String]

    private struct Question {
        let asker: String
        var isLate = false
        var waiting: [Int: CheckedContinuation<[String], any Error>] = [:]
    }

    /// Questions of one asker at once, late ones included.
    static var maximumPerAsker: Int { 32 }

    private let limit: Duration
    private let resolve: Resolve
    private var questions: [Host: Question] = [:]
    private var lastWaiter = 0

    package init(limit: Duration, resolve: @escaping Resolve) {
        self.limit = limit
        self.resolve = resolve
    }

    /// The number of callers that wait for an answer now.
    var waiting: Int { questions.values.reduce(0) { $0 + $1.waiting.count } }

    /// Returns the addresses of the host, within the limit. Its thread is counted for the asker. Ends when cancelled.
    package func addresses(of host: Host, for asker: String) async throws -> [String] {
        if let known = questions[host] {
            if known.isLate { throw LookupFailure.late }
        } else {
            guard questions.values.count(where: { $0.asker == asker }) < Self.maximumPerAsker else {
                throw LookupFailure.tooMany
            }
            questions[host] = Question(asker: asker)
            ask(host)
        }
        lastWaiter += 1
        let waiter = lastWaiter
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                questions[host]?.waiting[waiter] = continuation
            }
        } onCancel: {
            // Ends at once. On the actor it comes after the continuation is stored, or finds none.
            Task { await self.stopWaiting(waiter, for: host) }
        }
    }

    private func stopWaiting(_ waiter: Int, for host: Host) {
        questions[host]?.waiting.removeValue(forKey: waiter)?.resume(throwing: CancellationError())
    }

    private func ask(_ host: Host) {
        let (limit, resolve) = (limit, resolve)
        // Ends with its question's answer, which cancels it.
        let timer = Task {
            // Time itself is what it waits for: the resolver says nothing until it has an answer.
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            giveUp(host)
        }
        // Ends when the resolver does, which nobody can hasten.
        Task {
            let result: Result<[String], any Error>
            do { result = .success(try await resolve(host)) } catch { result = .failure(error) }
            // The timer is of this question: after this line it finds no other.
            timer.cancel()
            questions.removeValue(forKey: host)?.waiting.values.forEach { $0.resume(with: result) }
        }
    }

    private func giveUp(_ host: Host) {
        // Answered while this waited for its turn; what stands there now is another question.
        guard !Task.isCancelled else { return }
        questions[host]?.isLate = true
        let waiting = questions[host]?.waiting ?? [:]
        questions[host]?.waiting = [:]
        for waiter in waiting.values { waiter.resume(throwing: LookupFailure.late) }
    }
}

/// The reason why a lookup ended without an answer.
enum LookupFailure: Error, CustomStringConvertible {
    /// No address in time.
    case late
    /// The asker has too many questions under way.
    case tooMany

    var description: String {
        switch self {
        case .late: "the host's name was not found in time"
        case .tooMany: "too many of the names that it uses are being looked up"
        }
    }
}
