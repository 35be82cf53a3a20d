/// A queue that runs jobs one after the other, in the order of the calls. While a job awaits, the next one does not
/// begin.
package final class SerialQueue: Sendable {
    private let work: SessionWork?
    private let last: Locked<Task<Void, Never>?>

    /// - Parameters:
    ///   - work: Runs the jobs, so that the end of the session cancels them. Without it they run to their end.
    ///   - first: A task that the first job waits for.
    package init(_ work: SessionWork? = nil, after first: Task<Void, Never>? = nil) {
        self.work = work
        last = Locked(first)
    }

    /// Adds a job, which begins when all earlier jobs have ended.
    package func add(_ job: @escaping @Sendable () async -> Void) {
        last.withLock { last in
            let earlier = last
            let body = { @Sendable in
                await earlier?.value
                await job()
            }
            // Ends with the job.
            last = work?.start(body) ?? Task(operation: body)
        }
    }

    /// Adds a job of the main actor, which runs to its end.
    ///
    /// The job waits on the main actor, so that two such jobs follow each other faster than a request completes: a call
    /// that reverts the call before it still finds that call's request unanswered.
    package func addOnMainActor(_ job: @escaping @MainActor @Sendable () async -> Void) {
        last.withLock { last in
            let earlier = last
            // Ends with the job.
            last = Task { @MainActor in
                await earlier?.value
                await job()
            }
        }
    }

    /// Runs a job when all earlier jobs have ended, and returns its result.
    package func run<Value: Sendable, Failure: Error>(
        _ job: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            add {
                do throws(Failure) {
                    continuation.resume(returning: .success(try await job()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// Returns when all jobs that were added before have ended.
    package func settled() async { await last.withLock { $0 }?.value }
}
