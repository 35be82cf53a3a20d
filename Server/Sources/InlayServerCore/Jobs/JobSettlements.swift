import Logging
import NIOConcurrencyHelpers

/// The result of a claimed job, and the handler that records it.
struct JobSettlement: Sendable {
    let job: Job
    let result: JobResult
    let handler: any JobHandler
}

/// A writer of job results, many in one transaction: results that arrive while one is stored share the next.
final class JobSettlements: Sendable {
    private struct State {
        var results: [JobSettlement] = []
        var isWriting = false
    }

    private static let maximumResults = 512

    private let queue: JobQueue
    private let logger: Logger
    private let state = NIOLockedValueBox(State())

    init(queue: JobQueue, logger: Logger) {
        self.queue = queue
        self.logger = logger
    }

    /// Adds a result. The first caller stores its own and those that others add meanwhile; the others return at once.
    func add(_ job: Job, _ result: JobResult, _ handler: any JobHandler) async {
        let isFirst = state.withLockedValue { state in
            state.results.append(JobSettlement(job: job, result: result, handler: handler))
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { while let results = next() { await store(results) } }
    }

    private func next() -> [JobSettlement]? {
        state.withLockedValue { state in
            let some = Array(state.results.prefix(Self.maximumResults))
            state.results.removeFirst(some.count)
            state.isWriting = !some.isEmpty
            return state.isWriting ? some : nil
        }
    }

    /// Stores results, except those whose claim has ended.
    func store(_ results: [JobSettlement]) async {
        do {
            try await queue.store(results)
        } catch let lost as JobQueue.ClaimLost {
            // The others are another node's, and their results are stored there.
            let held = results.filter { lost.held.contains($0.job.id) }
            if held.count < results.count {
                for result in results where !lost.held.contains(result.job.id) {
                    logger.info(
                        "A job was removed, or claimed again, before its result was stored",
                        metadata: result.handler.metadata(of: [result.job]))
                }
                if !held.isEmpty { await store(held) }
            } else {
                // Two runs of one job, of which the later one has the claim.
                for result in results { await store([result]) }
            }
        } catch  where results.count > 1 {
            // One result that cannot be recorded must not undo the others.
            for result in results { await store([result]) }
        } catch {
            // The claim ends, and the job is run again.
            for result in results {
                logger.warning(
                    "A job's result could not be stored",
                    metadata: result.handler.metadata(of: [result.job]).merging(["error": "\(error)"]) { $1 })
            }
        }
    }
}
