import Foundation
import InlayBehaviorsServer
import InlayCardsServer
import InlayDevicesServer
import InlayHubServer
import InlayNIO
import InlaySQL
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The data of a new server: an environment, its keys, a container, templates, users, cards, events and segments.
///
/// Events create the first user's cards in the ordinary way. The other users get copies of the rows, which takes a
/// fraction of the time.
struct BenchSeed {
    let services: ServerServices

    static let eventNames = ["bench-timetable", "bench-offer"]
    // The copies of one statement must fit into memory.
    private static let usersAtOnce = 2_000
    private static let eventsAtOnce = 20_000

    /// Creates the records that the server needs at its start.
    func prepare() async throws -> ServerAccess {
        let environment = ServerAccess.environment
        let signer = DevelopmentSigner()
        _ = try await services.environments.create(id: environment.rawValue, name: "Bench")
        let key = try await services.environments.addApiKey(
            environment, name: "Bench", rules: TokenRules(publicKey: signer.publicKeyPEM))
        let secret = try await services.environments.addSecretKey(environment, name: "Bench").secret
        let containers = ContainerStore(database: services.database, now: services.now)
        try await containers.save(environment, id: CardContainerID(ServerAccess.container), name: "Home")
        let templates = CardTemplateStore(database: services.database, now: services.now)
        for name in Self.eventNames {
            let made = try await templates.create(environment, Self.draft(name))
            _ = try await templates.publish(environment, made.id)
        }
        let oauth = OAuthStore(database: services.database, now: services.now)
        let credentials = try await oauth.addClient(environment, name: "Bench").credentials
        return ServerAccess(
            apiKey: key.id, secretKey: secret, privateKey: signer.privateKeyPEM,
            accessToken: try await oauth.grant(credentials).accessToken, operatorCookie: try await signIn())
    }

    private func signIn() async throws -> String {
        let password = UUID().uuidString
        _ = try await services.operators.create(login: "bench", password: password, role: .admin)
        let signedIn = try await services.sessions.signIn(
            login: "bench", password: password, address: .local)
        return "inlay_session=\(signedIn.token)"
    }

    /// Creates users and their cards through the running server and by copying, then their events and segments.
    func fill(_ options: SeedOptions, through access: ServerAccess) async throws {
        guard options.users > 0 else { return }
        try await addUsers(options.users, cards: options.cards, through: access)
        try await addEvents(options)
        // Autovacuum would run ANALYZE a minute later, during a measurement.
        guard services.database.engine == .postgresql else { return }
        try await services.database.write { _ = try $0.execute("ANALYZE") }
    }

    private func addUsers(_ users: Int, cards: Int, through access: ServerAccess) async throws {
        let backend = try Backend(access)
        for number in 0..<cards {
            try await backend.publish(
                Self.eventNames[number % Self.eventNames.count], to: ServerAccess.user(0),
                lifecycle: "card-\(number)", title: "Sailing \(number)")
        }
        for first in stride(from: 1, to: users, by: Self.usersAtOnce) {
            let numbers = first..<min(first + Self.usersAtOnce, users)
            try await copy("users", numbers, replacing: ["id": "'user-' || n.i"], of: "id")
            try await copy("card_feeds", numbers, replacing: ["user_id": "'user-' || n.i"])
            try await copy(
                "card_instances", numbers,
                replacing: ["user_id": "'user-' || n.i", "card_id": "t.card_id || '-' || n.i"])
        }
    }

    /// Copies the first user's rows of a table for other users, with all columns of the table.
    private func copy(
        _ table: String, _ numbers: Range<Int>, replacing: [String: String], of key: String = "user_id"
    ) async throws {
        try await services.database.write { connection in
            let own = "\(key) = '\(ServerAccess.user(0))'"
            guard let row = try connection.row("SELECT * FROM \(table) WHERE \(own) LIMIT 1") else {
                throw BenchError("\(table) has no row of the first user.")
            }
            let values = row.columnNames.map { replacing[$0] ?? "t.\($0)" }
            try connection.execute(
                """
                INSERT INTO \(table) (\(row.columnNames.joined(separator: ", ")))
                WITH RECURSIVE n (i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                SELECT \(values.joined(separator: ", ")) FROM n CROSS JOIN \(table) t WHERE t.\(own)
                """, [.int(numbers.lowerBound), .int(numbers.upperBound - 1)])
        }
    }

    /// Adds events; all events of a user have the name of the user's segment.
    private func addEvents(_ options: SeedOptions) async throws {
        var ends = 0
        let names = options.segments.enumerated().map { number, size in
            ends += size
            return "WHEN n.i % \(options.users) < \(ends) THEN '\(ServerAccess.segment(number))'"
        }
        let name = names.isEmpty ? "'Looked'" : "CASE \(names.joined(separator: " ")) ELSE 'Looked' END"
        let now = services.now().microseconds
        for first in stride(from: 0, to: options.events, by: Self.eventsAtOnce) {
            let last = min(first + Self.eventsAtOnce, options.events) - 1
            try await services.database.write { connection in
                _ = try connection.execute(
                    """
                    INSERT INTO behavior_events (environment_id, event_id, user_id, contact_id, code, name,
                        campaign, happened_at, received_at, stated_at, attributes)
                    WITH RECURSIVE n (i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                    SELECT '\(ServerAccess.environment)', '0198c0de-0000-7000-8000-' || (100000000000 + n.i),
                        'user-' || (n.i % \(options.users)), NULL, 17, \(name), 'Spring',
                        \(now) - n.i * 7919 % 5000000 * 1000000, \(now), NULL,
                        '[["Campaign Name","Spring"],["Device Name","iPhone"],["OS Version","18.1"]]'
                    FROM n
                    """, [.int(first), .int(last)])
            }
        }
        let segments = SegmentStore(database: services.database, now: services.now)
        for id in options.segments.indices.map(ServerAccess.segment) {
            let rule = SegmentRule([.init(.init(code: 17, name: id, days: 365))])
            try await segments.save(ServerAccess.environment, id: SegmentID(id), name: id, rule)
        }
    }

    private static func draft(_ name: String) -> CardTemplateDraft {
        CardTemplateDraft(
            name: name, eventName: name, containerIDs: [CardContainerID(ServerAccess.container)],
            definition: CardTemplateDefinition(
                elements: [
                    .category("Timetable"), .headline("{{title}}"),
                    .text(
                        "The boat leaves **ten minutes** early. [All sailings](https://example.com/sailings)."
                    ),
                    .dismissButton(text: "Thanks"),
                ],
                variables: [.init(name: "title", defaultValue: .string("Sailing"))]))
    }
}
