import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayDevicesServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// The removal of ended rows, however many there are, and even while another task fails or takes long.
@Suite(.timeLimit(.minutes(3))) struct EndedRowsTests {
    private static let many = 5_001

    /// Rows of one kind: many that are due for removal and one that is not; `#` stands for the id of each.
    private struct Rows {
        let table: String
        let id: String
        let columns: String
        let due: String
        let new: String

        var insertion: String {
            """
            INSERT INTO \(table) (\(columns))
            WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(EndedRowsTests.many))
            SELECT \(due.replacing("#", with: "'due' || x")) FROM n
            UNION ALL SELECT \(new.replacing("#", with: "'new'"))
            """
        }
    }

    private static func codes(_ ago: (Duration) -> Int64) -> [Rows] {
        [
            Rows(
                table: "device_codes", id: "code_hash",
                columns: "environment_id, email, purpose, code_hash, tries, mailed_at, expires_at",
                due: "'e', 'm', 'proof', #, 0, \(ago(MailCode.mailWindow)), 0",
                new: "'e', 'm', 'proof', #, 0, \(ago(.zero)), 0"),
            Rows(
                table: "device_code_requests", id: "request_hash",
                columns: "environment_id, email, purpose, request_hash, tries, expires_at",
                due: "'e', 'm', 'proof', #, 0, \(ago(.zero))",
                new: "'e', 'm', 'proof', #, 0, \(ago(.seconds(-1)))"),
        ]
    }

    private static func attempts(_ ago: (Duration) -> Int64) -> [Rows] {
        [
            Rows(
                table: "device_attempts", id: "email_hash",
                columns: """
                    environment_id, email_hash, network_hash, known_at, failures, failed_at, wait_until
                    """,
                due: "'e', #, 'known', \(ago(LogInAttempts.knownNetworkLifetime)), 0, 0, 0",
                new: "'e', #, 'known', \(ago(.zero)), 0, 0, 0"),
            Rows(
                table: "device_attempts", id: "email_hash",
                columns: "environment_id, email_hash, network_hash, failures, failed_at, wait_until",
                due: "'e', #, '', 1, \(ago(LogInAttempts.knownNetworkLifetime)), 0",
                new: "'e', #, '', 1, \(ago(.zero)), 0"),
        ]
    }

    private static func sessions(_ ago: (Duration) -> Int64) -> [Rows] {
        [
            Rows(
                table: "device_tokens", id: "token_hash",
                columns: "token_hash, environment_id, session_id, kind, expires_at, is_void",
                due: "#, 'e', 's', 'refresh', \(ago(.zero)), 0",
                new: "#, 'e', 's', 'refresh', \(ago(.seconds(-1))), 0"),
            // Unused for too long, although the maximum life of a year is not over.
            Rows(
                table: "device_sessions", id: "id",
                columns: "environment_id, id, account_id, application_id, created_at, used_at, expires_at",
                due: "'e', #, 'a', 'p', 0, \(ago(AccountTokenStore.idleTimeout)), \(ago(.seconds(-1)))",
                new: "'e', #, 'a', 'p', 0, \(ago(.zero)), \(ago(.seconds(-1)))"),
        ]
    }

    private static func others(_ ago: (Duration) -> Int64) -> [Rows] {
        [
            // A void mail is never sent, so it is due although it is new.
            Rows(
                table: "device_mails", id: "id",
                columns: """
                    environment_id, id, application_id, recipient, kind, subject, state, tries, created_at
                    """,
                due: "'e', #, 'a', 'r', 'proof', 's', 'void', 0, \(ago(.zero))",
                new: "'e', #, 'a', 'r', 'proof', 's', 'sent', 0, \(ago(.zero))"),
            Rows(
                table: "device_pairings", id: "id",
                columns: """
                    environment_id, id, token_hash, account_id, application_id, session_id, state, is_held,
                    created_at, expires_at
                    """,
                due: "'e', #, #, 'a', 'p', 's', 'paired', 0, \(ago(PairingStore.retention)), 0",
                new: "'e', #, #, 'a', 'p', 's', 'paired', 0, \(ago(.zero)), 0"),
        ]
    }

    /// Returns rows of every kind that is removed; a table may have several.
    private static func rows(at now: Timestamp) -> [Rows] {
        func ago(_ duration: Duration) -> Int64 { (now - duration).microseconds }
        return codes(ago) + attempts(ago) + sessions(ago) + others(ago)
    }

    @Test(arguments: SQLEngine.allCases)
    func `all rows that ended during a long downtime, and no others, are removed in pieces`(
        _ engine: SQLEngine
    )
        async throws
    {
        let migrations = JobsSchema.migrations + AccountsSchema.migrations + DevicesSchema.migrations
        try await TestDatabase.with(engine, migrations: migrations) { plain in
            let clock = TestClock(), all = Self.rows(at: clock.now)
            try await plain.write { for rows in all { try $0.execute(rows.insertion) } }
            let database = RowCountingDatabase(plain)
            try await AccountStore(
                database: database, now: { clock.now }, passwords: Passwords(cost: .minimum)
            )
            .purgeExpired()
            try await AccountTokenStore(database: database, now: { clock.now }).purgeExpired()
            try await MailStore(database: database, now: { clock.now }).purgeExpired()
            try await PairingStore(database: database, now: { clock.now }).purgeExpired()
            let changed = database.changed.withLockedValue { $0 }
            #expect(changed.max() == 5_000 && changed.reduce(0, +) == all.count * Self.many)
            for rows in all {
                let left = try await plain.read { connection in
                    try connection.rows("SELECT \(rows.id) AS id FROM \(rows.table)")
                        .map { try $0.text("id") }
                }
                #expect(Set(left) == ["new"], "\(rows.table)")
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a store that cannot remove its ended rows delays no other store`(_ engine: SQLEngine) async throws {
        try await DeviceSite.run(engine) { site in
            let token = try await site.proven("ada@example.com").session.accessToken
            _ = try await site.pairing(token)
            let database = site.app.services.database
            _ = try await database.write { try $0.execute("DROP TABLE device_tokens") }
            site.app.clock.advance(by: PairingStore.retention)
            let services = site.app.services
            let loop = MaintenanceLoop(site.feature.periodicTasks, services.jobs, logger: .quiet)
            let runner = JobRunner(services.jobs, [loop], logger: .quiet, metrics: services.metrics)
            try await eventually(within: .seconds(120)) {
                // The server's own runner may have claimed some of the jobs.
                try await runner.runDue()
                return try await count("device_mails", database) + count("device_pairings", database) == 0
            }
        }
    }

    @Test func `a slow erasure of a user delays the expiry of no pairing`()
        async throws
    {
        let feature = SlowErasure()
        try await TestApp.run(features: { _ in [feature] }) { app in
            _ = try await app.services.environments.create(
                id: DeviceSite.environmentID.rawValue, name: "Harbor")
            let site = try await DeviceSite.make(app), database = app.services.database
            _ = try await site.pairing(try await site.proven("ada@example.com").session.accessToken)
            try await database.write {
                try UserErasureJobs.add(DeviceSite.environmentID, user: "maya", at: app.clock.now, in: $0)
            }
            try await within {
                for await _ in TimerSequence(every: .milliseconds(50)) where feature.isAsked.isSet { break }
                app.clock.advance(by: PairingStore.life)
                for await _ in TimerSequence(every: .milliseconds(50)) {
                    if try await count("device_pairings WHERE state = 'expired'", database) == 1 { break }
                }
            }
        }
    }

    private func count(_ rows: String, _ database: any SQLDatabase) async throws -> Int {
        try await database.read { try $0.row("SELECT COUNT(*) AS n FROM \(rows)")?.int("n") ?? 0 }
    }
}

/// A feature whose erasure of a user runs until the server stops.
private final class SlowErasure: UserErasure, ServerFeature {
    let isAsked = Flag()

    func erase(_ environmentID: EnvironmentID, user userID: UserID) async throws {
        isAsked.set()
        for await _ in TimerSequence(every: .seconds(600)) {}
        try Task.checkCancellation()
    }
}
