import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The handler of the jobs that send notices to buyers and apps' servers, until each has been acknowledged.
///
/// A notice may arrive twice when a node stops between the response and storing it, so URLs contain ids by which
/// receivers count. Each call has a time limit, and each lane its share of the calls: a buyer that does not respond
/// delays no other buyer.
struct AdNoticeJobs: JobHandler {
    /// A function that sends a notice once. It must return well before the claim ends.
    typealias Call = @Sendable (AdNotice) async -> AdNoticeOutcome

    static let kind: JobKind = "ads.notice"
    /// The maximum number of concurrent calls.
    static let maximumCalls = 1_024
    /// The maximum number of concurrent calls in one lane.
    static let maximumPerLane = maximumCalls / 8
    /// The maximum number in a lane whose last call got no response: enough to notice that the receiver responds again.
    static let maximumPerUnansweredLane = 16
    /// The time of a claim: more than three times as long as a call may last.
    static let lease: Duration = .seconds(30)

    let store: AdNoticeStore
    let call: Call

    var kind: JobKind { Self.kind }
    var areKeysLogged: Bool { true }

    var limits: JobLimits { Self.limits }

    static let limits = JobLimits(
        maximumRunning: maximumCalls, maximumPerLane: maximumPerLane,
        maximumPerUnansweredLane: maximumPerUnansweredLane, batchSize: 128, lease: lease,
        retry: JobRetry { AdNoticeOutcome.pause(afterTry: $0) })

    func run(_ batch: JobBatch) async throws {
        let notices = try await store.notices(batch.jobs)
        await withDiscardingTaskGroup { group in
            for job in batch.jobs {
                guard let notice = notices[job.id] else {
                    await batch.finish(job, .done)
                    continue
                }
                // A call ends at its time limit, or is cancelled with this task and made again later.
                group.addTask {
                    let answer = await call(notice)
                    // Only the runner knows whether the run took too long or the server stops, and a stop does not
                    // count as an attempt.
                    if Task.isCancelled, answer.isUnanswered { return }
                    await batch.finish(job, answer.outcome, isUnanswered: answer.isUnanswered)
                }
            }
        }
        try Task.checkCancellation()
    }

    func record(_ result: JobResult, of job: Job, in connection: any SQLConnection) throws {
        try AdNoticeStore.record(result, of: job, at: store.now(), in: connection)
    }

    var title: String { "Notice to a buyer or an app’s server" }

    // A win or a loss is of no use after the auction's end.
    func keepsGivenUp(_ job: Job) -> Bool { AdNotice.kind(ofID: job.key)?.isBillOrReward ?? false }

    func requeued(_ job: GivenUpJob, at moment: Timestamp, in connection: any SQLConnection) throws -> NewJob?
    {
        try AdNoticeStore.reopen(job.id, in: connection)?.job(at: moment)
    }
}

extension AdNoticeOutcome {
    /// The outcome of the job.
    var outcome: JobOutcome {
        switch self {
        case .acknowledged: .finished(note: text)
        case .rejected, .unanswered, .notCalled: .retry(text)
        case .impossible: .giveUp(text)
        }
    }
}
