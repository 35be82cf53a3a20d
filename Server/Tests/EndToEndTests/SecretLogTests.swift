import AsyncHTTPClient
import Foundation
import InlayServer
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Logging
import Testing

@testable import InlayBehaviorsServer
@testable import InlayServerCore

/// Tests that no secret is printed: by a server that logs everything while each secret is used, and by commands.
@Suite(.timeLimit(.minutes(5))) struct SecretLogTests {
    /// Secrets by a description. None of them may be printed.
    private typealias Secrets = [String: String]

    @Test func `a trace log of a whole run holds none of its secrets`() async throws {
        let folder = try TemporaryFolder()
        let database = "sqlite:\(folder.url.path)/data/inlay.sqlite"
        var secrets = try Self.plant(in: folder)
        let site = try await Self.prepare(database)
        secrets.merge(site.secrets) { $1 }
        let server = try await LoggedServer.start(
            ["--database", database, "--port", "0", "--log-level", "trace", "--log-requests"],
            settings: Self.settings(secrets, in: folder), in: folder)
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: .init(redirectConfiguration: .disallow))
        do {
            secrets.merge(try await Self.useSecrets(server, client, site, secrets)) { $1 }
        } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
        try await eventually(within: .seconds(30)) { server.log.contains("A mail was not sent") }
        try await server.stop()
        let log = server.log
        #expect(secrets.count >= 12, "\(secrets.keys.sorted())")
        #expect(log.contains(" trace ") && log.contains("/v1/cards/counts"), "\(log.suffix(2_000))")
        for (name, secret) in secrets { #expect(!log.contains(secret), "\(name)") }
    }

    @Test func `a database's password is in no line, also when the database cannot be opened`() async throws {
        let folder = try TemporaryFolder()
        let log = try await LoggedServer.failure(
            ["--log-level", "trace"],
            settings: ["INLAY_DATABASE": "postgres://inlay:planted-database-password@127.0.0.1:1/inlay"],
            in: folder)
        #expect(!log.isEmpty && !log.contains("planted"), "\(log)")
    }

    /// The arguments of each command that opens the database. `@` stands for the test's folder.
    private static let commands = [
        "serve --port 0 --log-level trace", "key create harbor --private-key @/key.pem", "key secret harbor",
        "key oauth harbor", "key application harbor", "key ads harbor", "key list harbor",
        "key revoke harbor ak_1", "key lost-secret", "key content make harbor main",
        "key content list harbor main", "key content rotate harbor main root",
        "key content renew harbor main", "key content add harbor main root",
        "key content take-out harbor main root 12345678", "key content threshold harbor main root 2",
        "key content export harbor main --to @/out", "key content carry-over --from sqlite:@/other",
        "user list", "user add ada --role admin", "user password ada", "user role ada admin",
        "user disable ada", "user enable ada", "erase harbor maya", "backup @/copy", "restore @/copy",
    ]

    /// Addresses of databases that cannot be opened, each with a password that ends in `Secret`.
    private static let addresses = [
        "postgres://inlay:ab%zzcdSecret@127.0.0.1:5/x", "postgres://inlay:ab/cdSecret@127.0.0.1:5/x",
        "postgres://inlay:ab@cdSecret@127.0.0.1:5/x", "postgres://inlay:12/a?cdSecret=a@127.0.0.1:5/x",
        "postgres://127.0.0.1:5/x?password=ab%zzcdSecret", "postgres://inlay:ab%63dSecret@127.0.0.1:5/x",
    ]

    @Test func `no command prints the password of a database that it cannot open`() async throws {
        let folder = try TemporaryFolder()
        // Every command with the first address, and two commands with every address.
        let pairs: [(String, String)] =
            Self.commands.map { ($0, Self.addresses[0]) }
            + Self.addresses.dropFirst().flatMap { [(Self.commands[0], $0), ("user list", $0)] }
        for (command, address) in pairs {
            let words = command.replacing("@", with: folder.url.path).split(separator: " ").map(String.init)
            let failed = try await ServerProcess.outcome(
                of: words, settings: ["INLAY_DATABASE": address], in: folder)
            #expect(failed.status == 1 && !failed.error.isEmpty, "\(command) \(address): \(failed.error)")
            let printed = failed.output + failed.error
            #expect(!printed.contains("Secret"), "\(command) \(address): \(printed)")
            let isRead = address == Self.addresses.last || command.hasPrefix("restore")
            #expect(
                isRead || failed.error.contains("The address of the database cannot be read: "),
                "\(command) \(address): \(failed.error)")
        }
    }

    @Test func `the address of a second database is read like that of the first`() async throws {
        let folder = try TemporaryFolder()
        let failed = try await ServerProcess.outcome(
            of: ["key", "content", "carry-over", "--from", Self.addresses[0]],
            settings: ["INLAY_DATABASE": "sqlite:\(folder.url.path)/data/inlay.sqlite"], in: folder)
        #expect(failed.status == 1 && failed.error.contains("its password has a %"), "\(failed.error)")
        #expect(!(failed.output + failed.error).contains("Secret"))
    }

    private struct Site {
        let secrets: Secrets
        let apiKey: String
        let clientID: String
        let applicationID: String
    }

    /// Writes the secret files, and returns the secrets of settings and files.
    private static func plant(in folder: TemporaryFolder) throws -> Secrets {
        let content = Data((0..<32).map { UInt8($0) }).base64EncodedString()
        let secrets = [
            "metrics token": "planted-metrics-token", "mail password": "planted-mail-password",
            "content secret": content, "first password": "planted password of the first operator",
        ]
        for (file, name) in [("content.secret", "content secret"), ("password", "first password")] {
            try Data(((secrets[name] ?? "") + "\n").utf8).write(to: folder.url.appendingPathComponent(file))
        }
        return secrets
    }

    private static func settings(_ secrets: Secrets, in folder: TemporaryFolder) -> [String: String] {
        [
            "INLAY_METRICS_TOKEN": secrets["metrics token"] ?? "", "INLAY_SMTP_HOST": "127.0.0.1",
            "INLAY_SMTP_PORT": "1", "INLAY_SMTP_SECURITY": "none", "INLAY_SMTP_USER": "inlay",
            "INLAY_SMTP_PASSWORD": secrets["mail password"] ?? "", "INLAY_MAIL_FROM": "inlay@example.com",
            "INLAY_FIRST_PASSWORD_FILE": folder.url.appendingPathComponent("password").path,
            "INLAY_CONTENT_SECRET_FILE": folder.url.appendingPathComponent("content.secret").path,
        ]
    }

    /// Creates an environment with keys of each kind.
    private static func prepare(_ database: String) async throws -> Site {
        var configuration = InlayServerConfiguration()
        configuration.database = SecretString(database)
        let server = try await InlayServer.make(configuration, logger: Logger(label: "test"))
        defer { server.close() }
        let services = server.services
        _ = try await services.environments.create(id: "harbor", name: "Harbor")
        let signer = DevelopmentSigner()
        let key = try await services.environments.addApiKey(
            "harbor", name: "App", rules: TokenRules(publicKey: signer.publicKeyPEM))
        let backend = try await services.environments.addSecretKey("harbor", name: "Backend")
        let made = try await OAuthStore(database: services.database, now: services.now)
            .addClient("harbor", name: "Program")
        let application = try await server.features.devices.applications.create(
            "harbor", name: "Ferries", opensAtOnce: true)
        let token = try signer.token(user: "maya", life: .seconds(3_600), at: services.now())
        return Site(
            secrets: [
                "user token": token, "secret key": backend.secret,
                "client secret": made.credentials.clientSecret,
                "refresh token": made.credentials.refreshToken, "application secret": application.secret,
                "end user's password": "planted words of an end user",
            ], apiKey: key.id, clientID: made.client.id.rawValue,
            applicationID: application.application.id.rawValue)
    }

    /// Uses every secret once, and returns the secrets that the server created meanwhile.
    private static func useSecrets(
        _ server: LoggedServer, _ client: HTTPClient, _ site: Site, _ secrets: Secrets
    ) async throws -> Secrets {
        func secret(_ name: String) -> String { secrets[name] ?? "" }
        let metrics = try await server.send(
            client, "GET", "/metrics", headers: ["Authorization": "Bearer \(secret("metrics token"))"])
        let counts = try await server.send(
            client, "GET", "/v1/cards/counts",
            headers: [
                "Inlay-Environment": "harbor", "Inlay-Api-Key": site.apiKey,
                "Authorization": "Bearer \(secret("user token"))",
            ])
        let user = try await server.send(
            client, "GET", "/v1/users/maya",
            headers: ["Inlay-Environment": "harbor", "Authorization": "Bearer \(secret("secret key"))"])
        #expect([metrics, counts, user].allSatisfy { $0.status != 401 })
        let session = try await signIn(server, client, secret("first password"))
        let opened = try await openAccount(server, client, site, secrets)
        return opened.merging(["operator session": session]) { $1 }
    }

    private static func signIn(
        _ server: LoggedServer, _ client: HTTPClient, _ password: String
    ) async throws -> String {
        let page = try await server.send(client, "GET", "/workbench/sign-in")
        let form = try #require(page.body.firstMatch(of: /name="csrf" value="([^"]+)"/)?.1)
        let formCookie = try #require(page.headers.first { $0.0 == "set-cookie" }?.1.prefix { $0 != ";" })
        let answer = try await server.send(
            client, "POST", "/workbench/sign-in",
            headers: ["Cookie": String(formCookie), "Content-Type": "application/x-www-form-urlencoded"],
            body: "csrf=\(form)&login=admin&password=\(password.replacing(" ", with: "+"))")
        #expect(answer.status == 303)
        let cookie = try #require(
            answer.headers.first { $0.0 == "set-cookie" && $0.1.hasPrefix("inlay_session=") }?.1)
        return String(cookie.dropFirst("inlay_session=".count).prefix { $0 != ";" })
    }

    private static func openAccount(
        _ server: LoggedServer, _ client: HTTPClient, _ site: Site, _ secrets: Secrets
    ) async throws -> Secrets {
        let account = try await server.send(
            client, "POST", "/v1/devices/accounts",
            headers: [
                "Inlay-Environment": "harbor", "Content-Type": "application/json",
                "Inlay-Application": site.applicationID,
                "Inlay-Application-Secret": secrets["application secret"] ?? "",
            ],
            body: #"{"email":"ada@example.com","password":"\#(secrets["end user's password"] ?? "")"}"#)
        #expect(account.status == 201, "\(account.body)")
        let session = try #require(account.body.firstMatch(of: /"refreshToken":"([^"]+)"/)?.1)
        let accountAccess = try #require(account.body.firstMatch(of: /"accessToken":"([^"]+)"/)?.1)
        let grant = try await server.send(
            client, "POST", "/oauth/token",
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: """
                grant_type=refresh_token&client_id=\(site.clientID)&client_secret=\
                \(secrets["client secret"] ?? "")&refresh_token=\(secrets["refresh token"] ?? "")
                """)
        #expect(grant.status == 200, "\(grant.body)")
        let access = try #require(grant.body.firstMatch(of: /"access_token":"([^"]+)"/)?.1)
        return [
            "account session": String(session), "account's access token": String(accountAccess),
            "access token": String(access),
        ]
    }
}
