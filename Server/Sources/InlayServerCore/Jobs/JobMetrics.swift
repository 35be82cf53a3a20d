import InlaySQL
@_spi(Inlay) import InlayWire
import Metrics

/// The numbers of jobs on `/metrics`: due and running now, and failed runs, each by kind.
struct JobMetrics: Sendable {
    static let descriptions: [MetricDescription] = [
        .init("inlay_jobs_due", "Jobs that are due and wait, on all nodes together."),
        .init("inlay_jobs_running", "Jobs that the node runs now."),
        .init("inlay_jobs_failed_total", "Runs of jobs that failed; most are tried again."),
        .init(
            "inlay_jobs_given_up",
            "Jobs of the last week that failed and are not tried again, on all nodes together."),
    ]

    let factory: any MetricsFactory

    /// Sets the number of jobs that are due now, on all nodes together.
    func due(_ kind: JobKind, _ count: Int) { meter("inlay_jobs_due", kind).set(count) }

    /// Sets the number of jobs that were given up and are kept, on all nodes together.
    func givenUp(_ kind: JobKind, _ count: Int) { meter("inlay_jobs_given_up", kind).set(count) }

    /// Changes the number of jobs that this node runs.
    func running(_ kind: JobKind, _ change: Int) {
        let meter = meter("inlay_jobs_running", kind)
        if change < 0 { meter.decrement(by: Double(-change)) } else { meter.increment(by: Double(change)) }
    }

    /// Counts a run that failed.
    func failed(_ kind: JobKind) {
        Counter(label: "inlay_jobs_failed_total", dimensions: [("kind", kind.rawValue)], factory: factory)
            .increment()
    }

    private func meter(_ label: String, _ kind: JobKind) -> Meter {
        Meter(label: label, dimensions: [("kind", kind.rawValue)], factory: factory)
    }
}

extension JobQueue {
    /// Returns the number of due jobs of each kind, without those under way. Reads the whole queue, so it is not for
    /// each claim.
    func dueCounts() async throws -> [JobKind: Int] {
        let moment = now()
        return try await counts("FROM jobs WHERE due_at <= ?", [.moment(moment)])
    }

    /// Returns the number of given-up jobs of each kind, of all environments.
    func givenUpCounts() async throws -> [JobKind: Int] { try await counts("FROM given_up_jobs") }

    private func counts(_ source: String, _ arguments: [SQLValue] = []) async throws -> [JobKind: Int] {
        let rows = try await database.forAnalytics.read {
            try $0.rows("SELECT kind, COUNT(*) AS n \(source) GROUP BY kind", arguments)
        }
        return Dictionary(
            try rows.map { (JobKind(rawValue: try $0.text("kind")), try $0.int("n")) }, uniquingKeysWith: +)
    }
}
