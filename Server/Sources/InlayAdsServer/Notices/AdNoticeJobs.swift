import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// Sends notices to buyers and apps' servers, until each has been acknowledged.
///
/// A notice may arrive twice when a node ends between the answer and storing it, which is why ids are in the addresses
/// and receivers count by them. Each call ends by itself, and each lane has its share of the calls: a buyer that does not
/// answer holds up no other buyer.
struct AdNoticeJobs: JobHandler {
    /// Makes one call, which must end well before a claim does.
    typealias Call = @Sendable (AdNotice) async -> AdNoticeOutcome

    static let kind: JobKind = "ads.notice"
    /// Calls under way at once, in all.
    static let maximumCalls = 1_024
    /// Of these in one lane.
    static let maximumPerLane = maximumCalls / 8
    /// The same, where the last call got no answer: enough to notice that the receiver answers again.
    static let maximumPerUnansweredLane = 16
    /// Three times as long as a call may last.
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
                // A call ends by itself, or is cancelled with this; then it is made again.
                group.addTask {
                    let answer = await call(notice)
                    let outcome = Task.isCancelled ? answer.outcomeOfStop(at: store.now()) : answer.outcome
                    await batch.finish(job, outcome, isUnanswered: answer.isSilent)
                }
            }
        }
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
    /// The outcome that is reported of the job.
    var outcome: JobOutcome {
        switch self {
        case .acknowledged: .finished(note: words)
        case .later, .silent, .refused: .retry(words)
        case .impossible: .giveUp(words)
        }
    }

    /// The same when the server stops: a call that it cut off was no attempt.
    fileprivate func outcomeOfStop(at now: Timestamp) -> JobOutcome {
        isSilent ? .release(at: now) : outcome
    }
}
