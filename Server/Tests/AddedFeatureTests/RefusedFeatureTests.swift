import Foundation
import Hummingbird
import InlaySQL
import InlaySQLTesting
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench
import Logging
import Testing

/// Tests of features that cannot be added: the start fails with the reason, and the database is unchanged.
@Suite(.timeLimit(.minutes(3))) struct RefusedFeatureTests {
    /// A feature with parts that a test chooses.
    private struct SecondFeature: ServerFeature, WorkbenchSection {
        var migrations: [SQLMigration] = []
        var sealedKeys: [any SealedKeyStore] = []
        var jobs: [any JobHandler] = []
        var periodicTasks: [PeriodicTask] = []
        var audienceConditions: [any AudienceCondition] = []
        var metrics: [MetricDescription] = []
        var route: String?
        var pages: [WorkbenchRoute] = []
        var navigation: [NavigationEntry] = []
        var settings: [NavigationEntry.Page] = []
        var resources: URL?

        func addRoutes(to routes: ServerRoutes) {
            guard let route else { return }
            routes.backend.post(RouterPath(route)) { _, _ in Response(status: .noContent) }
        }
    }

    private struct NoJobs: JobHandler {
        let kind: JobKind
        let areKeysLogged = true
        let limits = JobLimits(lease: .seconds(1), retry: .doubling(from: .seconds(1), to: .seconds(1)))
        func run(_ batch: JobBatch) async throws {}
    }

    private struct NoKeys: SealedKeyStore {
        let keyOwner: String
        func sealedKeys(_ connection: any SQLConnection) throws -> [SealedKey] { [] }
        func discard(_ keys: [SealedKey], _ connection: any SQLConnection) throws {}
    }

    private struct NoCondition: AudienceCondition {
        struct Definition: Codable {}
        let kind: String
        let label = "", oppositeLabel = ""
        func fields(in audience: AudienceContext) throws -> [AudienceField] { [] }
        func values(of definition: Definition) -> [String: String] { [:] }
        func definition(from values: [String: String]) throws(FieldErrors) -> Definition { Definition() }
        func users(_ definition: Definition, in audience: AudienceContext) throws -> AudienceQuery {
            AudienceQuery(from: "users", where: "1 = 1", [])
        }
    }

    private func make(_ url: String, _ features: [any ServerFeature]) async throws -> InlayServer {
        var configuration = InlayServerConfiguration()
        configuration.port = 0
        configuration.database = SecretString(url)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return try await InlayServer.make(configuration, logger: logger) { _ in features }
    }

    /// Returns the error of a server that does not start with these features.
    private func refusal(_ features: [any ServerFeature], on url: String) async throws -> String {
        do {
            let server = try await make(url, features)
            server.close()
            return "none: it starts"
        } catch let error as ConfigurationError {
            return error.description
        }
    }

    private func tables(_ url: String) async throws -> Int {
        let database = try await SQLDatabaseURL.open(url)
        defer { database.close() }
        return try await database.read {
            try $0.rows("SELECT COUNT(*) AS n FROM sqlite_master")[0].int("n")
        }
    }

    @Test
    func `a server whose features share a name does not start, and the error has the features and the name`()
        async throws
    {
        let page = WorkbenchRoute.page("e/:tenant/users/:someone") { _ in throw Problem.notFound }
        let condition = SecondFeature(audienceConditions: [NoCondition(kind: "event")])
        let features: [(SecondFeature, String)] = [
            (
                SecondFeature(jobs: [NoJobs(kind: "hub.source")]),
                #"HubFeature and SecondFeature both have the job kind "hub.source"."#
            ),
            (
                SecondFeature(periodicTasks: [PeriodicTask("hub.pruning", every: .seconds(60)) {}]),
                #"HubFeature and SecondFeature both have the periodic task "hub.pruning"."#
            ),
            (
                SecondFeature(migrations: [
                    SQLMigration(feature: "hub", name: "0001-content", sql: "SELECT 1")
                ]),
                #"HubFeature and SecondFeature both have the migration "hub/0001-content"."#
            ),
            (
                SecondFeature(sealedKeys: [NoKeys(keyOwner: "ads")]),
                #"AdsFeature and SecondFeature both have the store of private keys "ads"."#
            ),
            (condition, #"BehaviorsFeature and SecondFeature both have the audience condition "event"."#),
            (
                SecondFeature(metrics: [.init("inlay_jobs_due", "Jobs.")]),
                #"SecondFeature and JobsFeature both have the metric "inlay_jobs_due"."#
            ),
            // The names of a route's parameters make no difference.
            (
                SecondFeature(route: "v1/hub/:source/missing"),
                #"HubFeature and SecondFeature both have the route "POST /v1/hub/*/missing"."#
            ),
            (
                SecondFeature(pages: [page]),
                #"SecondFeature and UserPages both have the route "GET /workbench/e/*/users/*"."#
            ),
            (
                SecondFeature(navigation: [.init("Pages", icon: "hub", folder: "hub")]),
                #"HubFeature and SecondFeature both have the navigation entry "hub"."#
            ),
            (
                SecondFeature(settings: [.init("Keys", "settings/keys")]),
                #"WorkbenchFeature and SecondFeature both have the page of settings "settings/keys"."#
            ),
            (
                SecondFeature(jobs: [NoJobs(kind: "a"), NoJobs(kind: "a")]),
                #"SecondFeature has the job kind "a" twice."#
            ),
        ]
        try await TestDatabase.withURL(.sqlite) { url in
            for (feature, conflict) in features {
                let error = try await refusal([feature], on: url)
                #expect(error == "\(conflict) Each of these names can be used once.")
            }
            #expect(try await tables(url) == 0, "nothing was migrated")
        }
    }

    @Test func `every name that two features share is in one error`() async throws {
        try await TestDatabase.withURL(.sqlite) { url in
            let feature = SecondFeature(
                jobs: [NoJobs(kind: "hub.source"), NoJobs(kind: "ads.notice")],
                route: "v1/hub/:source/missing", pages: [.page("sign-in") { _ in throw Problem.notFound }])
            let error = try await refusal([feature], on: url)
            #expect(
                error == """
                    HubFeature and SecondFeature both have the job kind "hub.source". AdsFeature and SecondFeature both have \
                    the job kind "ads.notice". HubFeature and SecondFeature both have the route "POST /v1/hub/*/missing". \
                    SecondFeature and WorkbenchFeature both have the route "GET /workbench/sign-in". Each of these names can \
                    be used once.
                    """)
        }
    }

    @Test func `a route that hides another is refused with both paths`() async throws {
        try await TestDatabase.withURL(.sqlite) { url in
            let error = try await refusal([SecondFeature(route: "v1/hub/:source/:any")], on: url)
            #expect(error.hasPrefix("Two routes can be meant by one path. "))
            #expect(error.contains("/v1/hub/{environment}") && error.contains("source"), "\(error)")
        }
    }

    @Test(arguments: ["templates/confirm.mustache", "assets/tokens.css"])
    func `a server whose sections share a template or an asset does not start`(_ path: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "second-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("<p>".utf8).write(to: file)
        try await TestDatabase.withURL(.sqlite) { url in
            let error = try await refusal([SecondFeature(resources: folder)], on: url)
            #expect(error.hasPrefix("WorkbenchFeature and SecondFeature both have the file \"\(path)\"."))
        }
    }

    @Test func `the kind of an audience condition is a word of letters that is not reserved`() async throws {
        try await TestDatabase.withURL(.sqlite) { url in
            for kind in ["", "isNot", "unreadable", "two words", "größe", "not"] {
                let feature = SecondFeature(audienceConditions: [NoCondition(kind: kind)])
                let error = try await refusal([feature], on: url)
                let isRefused = error.contains("SecondFeature has the audience condition \"\(kind)\"")
                #expect(isRefused == (kind != "not"), "\(error)")
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a feature whose migration fails is named, and nothing of any feature is migrated or lost`(
        _ engine: SQLEngine
    ) async throws {
        try await TestDatabase.withURL(engine) { url in
            let first = try await make(url, [])
            _ = try await first.services.environments.create(id: "harbor", name: "Harbor")
            first.close()
            let good = SecondFeature(migrations: [
                SQLMigration(feature: "good", name: "0001", sql: "CREATE TABLE good_rows (id BIGINT)"),
                SQLMigration(feature: "good", name: "0002", sql: "DELETE FROM environments"),
            ])
            let broken = SecondFeature(migrations: [
                SQLMigration(
                    feature: "broken", name: "0001-rows", sql: "ALTER TABLE nowhere ADD COLUMN id BIGINT")
            ])
            let error = await #expect(throws: SQLError.self) {
                try await make(url, [good, broken]).close()
            }
            #expect(error?.description.contains("broken/0001-rows") == true, "\(String(describing: error))")
            let again = try await make(url, [])
            defer { again.close() }
            #expect(try await again.services.environments.environments().map(\.id) == ["harbor"])
            let steps = try await again.services.database.read {
                try $0.rows("SELECT name FROM inlay_migrations WHERE feature IN ('good', 'broken')").count
            }
            #expect(steps == 0)
            await #expect(throws: SQLError.self) {
                try await again.services.database.read { _ = try $0.rows("SELECT id FROM good_rows") }
            }
        }
    }
}
