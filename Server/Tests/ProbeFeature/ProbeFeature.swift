package import Foundation
import Hummingbird
package import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire
package import InlayWorkbench
import Metrics

/// A feature that is not part of the server: users leave notes, and a job counts them.
///
/// It uses only declarations that feature targets may use, so it shows what a sixth feature needs.
package struct ProbeFeature: ServerFeature {
    /// A note as an app sends it.
    package struct Note: Codable, Sendable {
        package let text: String

        package init(text: String) { self.text = text }
    }

    /// The maximum size of a request with a note, larger than the default of routes.
    package static let maximumNoteBytes = 2 << 20

    private let services: ServerServices

    package init(_ services: ServerServices) { self.services = services }

    package var migrations: [SQLMigration] {
        [
            SQLMigration(
                feature: "probe", name: "0001-notes",
                sql: """
                    CREATE TABLE probe_notes (
                        environment_id TEXT NOT NULL, id TEXT NOT NULL, user_id TEXT NOT NULL, content TEXT NOT NULL,
                        is_counted BIGINT NOT NULL, PRIMARY KEY (environment_id, id));
                    CREATE TABLE probe_rounds (number BIGINT NOT NULL);
                    """)
        ]
    }

    package var jobs: [any JobHandler] { [NoteCount()] }

    package var periodicTasks: [PeriodicTask] {
        [
            PeriodicTask("probe.rounds", every: .milliseconds(500)) {
                try await services.database.write {
                    _ = try $0.execute(
                        "INSERT INTO probe_rounds SELECT COALESCE(MAX(number), 0) + 1 FROM probe_rounds")
                }
            }
        ]
    }

    package var largerBodies: [BodyLimit.Larger] { [.init("v1/probe/notes", bytes: Self.maximumNoteBytes)] }

    package var audienceConditions: [any AudienceCondition] { [NoteCondition()] }

    package var metrics: [MetricDescription] { [.init("probe_notes_total", "Notes that users left.")] }

    package func addRoutes(to routes: ServerRoutes) {
        routes.client.post("v1/probe/notes") { request, context in
            let note = try await request.json(Note.self, limit: Self.maximumNoteBytes)
            try await add(context.identity.environmentID, user: context.identity.userID, note.text)
            services.jobs.wake()
            Counter(label: "probe_notes_total", factory: services.metrics).increment()
            return Response(status: .noContent)
        }
    }

    package func prepare(environment id: EnvironmentID, in connection: any SQLConnection) throws {
        try add(id, user: UserID(""), "Welcome", in: connection)
    }

    package func add(_ environmentID: EnvironmentID, user: UserID, _ text: String) async throws {
        try await services.database.write { try add(environmentID, user: user, text, in: $0) }
    }

    private func add(
        _ environmentID: EnvironmentID, user: UserID, _ text: String, in connection: any SQLConnection
    ) throws {
        let id = UUIDv7.make(at: services.now())
        try connection.execute(
            "INSERT INTO probe_notes (environment_id, id, user_id, content, is_counted) VALUES (?, ?, ?, ?, 0)",
            [.id(environmentID), .text(id), .id(user), .text(text)])
        try JobQueue.enqueue(
            NewJob(NoteCount.kind, key: id, in: environmentID, at: services.now()), in: connection)
    }

    /// The condition that a user left a note with a word in it.
    private struct NoteCondition: AudienceCondition {
        struct Definition: Codable { var word: String }

        let kind = "probeNote"
        let label = "left a note"
        let oppositeLabel = "left no note"

        func fields(in audience: AudienceContext) throws -> [AudienceField] {
            let words = try audience.connection.rows(
                "SELECT DISTINCT content FROM probe_notes WHERE environment_id = ? ORDER BY content",
                [.id(audience.environmentID)]
            ).map { try $0.text("content").split(separator: " ").first.map(String.init) ?? "" }
            return [.init("word", "With the word", hint: "For example: \(words.joined(separator: ", ")).")]
        }

        func values(of definition: Definition) -> [String: String] { ["word": definition.word] }

        func definition(from values: [String: String]) throws(FieldErrors) -> Definition {
            guard let word = values["word"]?.trimmed, !word.isEmpty else {
                throw FieldErrors("word", "Enter a word.")
            }
            return Definition(word: word)
        }

        func users(_ definition: Definition, in audience: AudienceContext) throws -> AudienceQuery {
            guard definition.word.count <= 20 else { throw FieldErrors("word", "At most 20 characters.") }
            // Has an OR without parentheses, and no environment: the segment adds both.
            return AudienceQuery(
                from: "probe_notes", where: "content = ? OR content LIKE ?",
                [.text(definition.word), .text("%\(definition.word)%")])
        }
    }

    /// A handler that counts notes in the transaction that settles their jobs.
    private struct NoteCount: JobHandler {
        static let kind: JobKind = "probe.count"
        var kind: JobKind { Self.kind }
        var areKeysLogged: Bool { true }
        var limits: JobLimits {
            JobLimits(
                maximumRunning: 50, batchSize: 50, lease: .seconds(10),
                retry: .doubling(from: .seconds(1), to: .seconds(60)))
        }

        func run(_ batch: JobBatch) async throws {}

        func record(_ result: JobResult, of job: Job, in connection: any SQLConnection) throws {
            guard case .done = result else { return }
            try connection.execute(
                "UPDATE probe_notes SET is_counted = is_counted + 1 WHERE environment_id = ? AND id = ?",
                [.id(job.environmentID), .text(job.key)])
        }
    }
}

extension ProbeFeature: UserErasure {
    package func erase(_ environmentID: EnvironmentID, user userID: UserID) async throws {
        try await services.database.deleteRows(
            of: userID, environmentID, in: "probe_notes", key: "environment_id, id")
    }
}

extension ProbeFeature: WorkbenchSection {
    private struct Model {
        struct Row { let text: String, state: String }
        let notes: [Row]
    }

    package var resources: URL? { Bundle.module.copiedResources }

    package var navigation: [NavigationEntry] { [.init("Probe", icon: "overview", folder: "probe")] }

    package var pages: [WorkbenchRoute] { [.page("e/:environment/probe") { try await show($0) }] }

    private func show(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID
        let notes = try await services.database.read { connection in
            try connection.rows(
                "SELECT content, is_counted FROM probe_notes WHERE environment_id = ? ORDER BY id",
                [.id(environmentID)]
            ).map {
                Model.Row(
                    text: try $0.text("content"), state: try $0.int("is_counted") == 1 ? "counted" : "new")
            }
        }
        return .page("Probe", "probe/notes", Model(notes: notes), scripts: ["probe.js"])
    }
}
