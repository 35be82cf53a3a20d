import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting
@testable import InlayWorkbench

/// The page of jobs that were given up, on a server that runs them.
@Suite(.timeLimit(.minutes(3))) struct JobPagesTests {
    private static let page = "/workbench/e/harbor/settings/jobs"

    /// A feature whose jobs are given up until the flag is set.
    private struct FailingFeature: ServerFeature, JobHandler {
        let works = Flag()
        let done = SharedValue<[String]>([])

        let kind: JobKind = "failing.work"
        let areKeysLogged = true
        let title = "Work that <fails>"
        let limits = JobLimits(lease: .seconds(30), retry: .doubling(from: .seconds(1), to: .seconds(1)))

        var jobs: [any JobHandler] { [self] }

        func run(_ batch: JobBatch) async throws {
            for job in batch.jobs {
                if works.isSet { done.change { $0.append(job.key) } }
                await batch.finish(job, works.isSet ? .done : .giveUp("The <server> is away."))
            }
        }

        func enqueue(_ keys: [String], _ services: ServerServices, in environment: EnvironmentID = "harbor")
            async throws
        {
            let moment = services.now()
            try await services.database.write { connection in
                try JobQueue.enqueue(
                    keys.map { NewJob("failing.work", key: $0, in: environment, at: moment) }, in: connection)
            }
            services.jobs.wake()
        }
    }

    /// Runs a server that has given up these jobs.
    private func run(
        _ keys: [String], _ body: @escaping @Sendable (WorkbenchSite, FailingFeature) async throws -> Void
    ) async throws {
        let feature = FailingFeature()
        try await WorkbenchSite.run(adding: { _ in [feature] }) { site in
            try await feature.enqueue(keys, site.services)
            try await eventually(within: .seconds(120)) {
                try await site.services.jobs.givenUpCount("harbor") >= keys.count
            }
            try await body(site, feature)
        }
    }

    @Test func `a job that was given up is shown with its reason, and a button runs it again`() async throws {
        try await run(["first", "second"]) { site, feature in
            let editor = try await site.signedIn(.editor)
            let page = try await editor.get(Self.page)
            #expect(page.body.contains("Work that &lt;fails&gt;") && !page.body.contains("<fails>"))
            #expect(page.body.contains("The &lt;server&gt; is away.") && page.body.contains("2 jobs"))
            #expect(page.body.contains("value=\"first\"") && page.body.contains("value=\"second\""))
            for path in ["retry", "retry-all"] {
                #expect(
                    page.body.contains("<form method=\"post\" action=\"\(Self.page)/\(path)\">"), "\(path)")
            }

            feature.works.set()
            let fields = [("kind", "failing.work"), ("key", "first")]
            let answer = try await editor.post("\(Self.page)/retry", fields)
            #expect(answer.status == 303 && answer.header("location") == Self.page)
            try await eventually(within: .seconds(120)) { feature.done.value == ["first"] }
            let after = try await editor.get(Self.page)
            #expect(after.body.contains("1 job will run again now."))
            #expect(!after.body.contains("value=\"first\"") && after.body.contains("value=\"second\""))
            let twice = try await editor.post("\(Self.page)/retry", fields)
            #expect(twice.status == 404 && twice.body.contains("This job is not in the list any more."))
            let lines = try await site.services.audit.entries("harbor").filter { $0.action == "retried job" }
            #expect(
                lines.map { "\($0.who) \($0.subject) \($0.detail ?? "")" } == ["editor first failing.work"])
        }
    }

    @Test func `all jobs are run again at once, of one environment only`() async throws {
        try await run(["first", "second", "third"]) { site, feature in
            try await feature.enqueue(["foreign"], site.services, in: "other")
            try await eventually(within: .seconds(120)) {
                try await site.services.jobs.givenUpCount("other") == 1
            }
            feature.works.set()
            let editor = try await site.signedIn(.editor)
            #expect(try await editor.post("\(Self.page)/retry-all").status == 303)
            try await eventually(within: .seconds(120)) { feature.done.value.count >= 3 }
            #expect(feature.done.value.sorted() == ["first", "second", "third"])
            let after = try await editor.get(Self.page)
            #expect(
                after.body.contains("3 jobs will run again now.") && after.body.contains("No failed jobs"))
            #expect(try await site.services.jobs.givenUpCount("other") == 1)
        }
    }

    @Test func `an analyst sees the jobs and runs none, and a kind of another version has no button`()
        async throws
    {
        try await run(["first"]) { site, feature in
            let analyst = try await site.signedIn(.analyst)
            let page = try await analyst.get(Self.page)
            #expect(page.status == 200 && page.body.contains("first") && !page.body.contains("Run again"))
            for path in ["retry", "retry-all"] {
                let fields = [("kind", "failing.work"), ("key", "first")]
                #expect(try await analyst.post("\(Self.page)/\(path)", fields).status == 403)
            }
            _ = try await site.services.database.write {
                try $0.execute("UPDATE given_up_jobs SET kind = 'later.work'")
            }
            let editor = try await site.signedIn(.editor)
            let later = try await editor.get(Self.page)
            #expect(later.body.contains("later.work, of another version of the server"))
            #expect(!later.body.contains("Run again"))
            let refused = try await editor.post(
                "\(Self.page)/retry", [("kind", "later.work"), ("key", "first")])
            #expect(refused.status == 404)
            #expect(try await editor.post("\(Self.page)/retry-all").status == 303)
            #expect(try await site.services.jobs.givenUpCount("harbor") == 1)
        }
    }
}
