import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The jobs that were given up: why, and the buttons that run them again.
struct JobPages: WorkbenchSection {
    private static let maximumRows = 100

    let services: ServerServices
    let jobs: JobsFeature

    private struct Row {
        let title: String
        let kind: String
        let key: String
        let reason: String
        let attempts: String
        let givenUp: Moment
        let canRetry: Bool
    }

    private struct Model {
        let csrf: String
        let path: String
        let rows: [Row]
        let hasRows: Bool
        let countText: String
        let canRetryAll: Bool
    }

    var settings: [NavigationEntry.Page] { [.init("Jobs", "settings/jobs")] }

    var pages: [WorkbenchRoute] {
        let root = "e/:environment/settings/jobs"
        return [
            .page(root) { try await list($0) },
            .form("\(root)/retry", for: .editor) { try await retry($0) },
            .form("\(root)/retry-all", for: .editor) { try await retryAll($0) },
        ]
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID
        async let newest = services.jobs.givenUp(environmentID, limit: Self.maximumRows)
        let count = try await services.jobs.givenUpCount(environmentID)
        let rows = try await newest.map { row($0, request) }
        let model = Model(
            csrf: request.csrfToken, path: request.address("settings", "jobs"), rows: rows,
            hasRows: !rows.isEmpty,
            countText: Count.of(count, "job")
                + (count > rows.count ? ", the newest \(rows.count) of them shown" : ""),
            canRetryAll: rows.count > 1 && request.may(.editor))
        return .page("Jobs", "jobs", model)
    }

    private func row(_ job: GivenUpJob, _ request: WorkbenchRequest) -> Row {
        let title = jobs.title(of: job.id.kind)
        return Row(
            title: title ?? "\(job.id.kind), of another version of the server",
            kind: job.id.kind.rawValue, key: job.id.key, reason: job.error,
            attempts: Count.grouped(job.attempts), givenUp: request.moment(job.givenUpAt),
            canRetry: title != nil && request.may(.editor))
    }

    private func retry(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let kind = JobKind(rawValue: request.form["kind"] ?? "")
        let id = Job.ID(environmentID: try request.environmentID, kind: kind, key: request.form["key"] ?? "")
        let requeued = try await services.audit.record(
            "retried job", id.key, by: request, detail: kind.rawValue
        ) {
            try await jobs.requeue(id)
        }
        return answer(requeued, request)
    }

    private func retryAll(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let requeued = try await services.audit.record("retried jobs", "all", by: request) {
            try await jobs.requeueAll(request.environmentID)
        }
        return answer(requeued, request)
    }

    private func answer(_ requeued: JobQueue.Requeued, _ request: WorkbenchRequest) -> WorkbenchResult {
        let (enqueued, obsolete) = (requeued.enqueued, requeued.obsolete)
        let sentences = [
            enqueued > 0 || obsolete == 0 ? "\(Count.of(enqueued, "job")) will run again now." : nil,
            obsolete > 0
                ? "\(Count.of(obsolete, "job")) removed: the work is done already or of no use any more."
                : nil,
        ]
        return .redirect(
            to: request.address("settings", "jobs"),
            Flash(sentences.compactMap { $0 }.joined(separator: " ")))
    }
}
