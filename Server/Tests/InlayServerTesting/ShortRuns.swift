import InlaySQL

@testable import InlayServerCore

/// A handler that runs the jobs of another one within half a second.
struct ShortRuns: JobHandler {
    let handler: any JobHandler

    init(_ handler: any JobHandler) { self.handler = handler }

    var kind: JobKind { handler.kind }
    var areKeysLogged: Bool { handler.areKeysLogged }

    var limits: JobLimits {
        var limits = handler.limits
        limits.lease = .milliseconds(500)
        return limits
    }

    func run(_ batch: JobBatch) async throws { try await handler.run(batch) }

    func record(_ result: JobResult, of job: Job, in connection: any SQLConnection) throws {
        try handler.record(result, of: job, in: connection)
    }
}
