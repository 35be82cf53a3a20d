import AsyncHTTPClient
import Foundation
import InlaySQL
import InlaySQLTesting
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Logging
import NIOCore
import ProbeFeature
import ServiceLifecycle
import Testing

/// Tests of a feature that is added with the protocols that every feature uses, without a change of other code.
@Suite(.timeLimit(.minutes(3))) struct AddedFeatureTests {
    private static let password = "four ferries before noon"

    @Test(arguments: SQLEngine.allCases)
    func `an added feature has its table, route, page, navigation, body limit, job, task and erasure`(
        _ engine: SQLEngine
    ) async throws {
        try await serve(engine) { server, browser in
            let services = server.services
            // Created in the Workbench, so that the feature prepares the environment.
            let made = try await browser.post("/workbench/start", ["name": "Harbor", "id": "harbor"])
            #expect(made.status == 303)
            let overview = try await browser.get("/workbench/e/harbor/overview").body
            #expect(overview.contains("href=\"/workbench/e/harbor/probe\""))
            #expect(try await browser.get("/workbench/e/harbor/probe").body.contains("<li>Welcome ("))

            let signer = DevelopmentSigner()
            let key = try await services.environments.addApiKey(
                "harbor", name: "app", rules: TokenRules(publicKey: signer.publicKeyPEM))
            func send(_ text: String) async throws -> Int {
                let token = try signer.token(user: "maya", life: .seconds(3_600), at: services.now())
                let body = try JSONEncoder().encode(ProbeFeature.Note(text: text))
                return try await browser.send(
                    "POST", "/v1/probe/notes",
                    [
                        "Inlay-Environment": "harbor", "Inlay-Api-Key": key.id,
                        "Authorization": "Bearer \(token)",
                        "Content-Type": "application/json",
                    ], ByteBuffer(bytes: body)
                ).status
            }
            #expect(try await send("Two <seals>") == 204)
            try await eventually {
                try await browser.get("/workbench/e/harbor/probe").body.contains(
                    "<li>Two &lt;seals&gt; (counted)</li>")
            }
            // The feature's periodic task has run at least twice.
            try await eventually {
                try await services.database.read {
                    try $0.row("SELECT MAX(number) AS n FROM probe_rounds")?.optionalInt64("n") ?? 0
                } >= 2
            }
            let metrics = try await browser.get("/metrics")
            #expect(metrics.body.contains("inlay_jobs_running{kind=\"probe.count\"} 0"))
            #expect(metrics.body.contains("# HELP probe_notes_total Notes that users left.\n"))
            #expect(metrics.body.contains("\nprobe_notes_total 1\n"))
            let frame = try JSONEncoder().encode(ProbeFeature.Note(text: "")).count
            #expect(
                try await send(String(repeating: "x", count: ProbeFeature.maximumNoteBytes - frame)) == 204)
            #expect(
                try await send(String(repeating: "x", count: ProbeFeature.maximumNoteBytes - frame + 1))
                    == 413)

            try await server.features.devices.eraseUser("harbor", "maya")
            try await eventually {
                let page = try await browser.get("/workbench/e/harbor/probe").body
                return page.contains("Welcome") && !page.contains("seals")
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a segment has users by the condition of an added feature, in its own environment`(
        _ engine: SQLEngine
    ) async throws {
        try await serve(engine) { server, browser in
            let services = server.services, segments = server.features.behaviors.segments
            for environment in ["harbor", "quay"] as [EnvironmentID] {
                let fields = ["name": environment.rawValue, "id": environment.rawValue]
                #expect(try await browser.post("/workbench/start", fields).status == 303)
                for user in ["ada", "jo", "maya"] {
                    try await services.users.put(environment, UserID(user), UserProfile())
                }
            }
            let probe = ProbeFeature(services)
            try await probe.add("harbor", user: "maya", "Two seals")
            try await probe.add("harbor", user: "jo", "A gull")
            try await probe.add("quay", user: "ada", "Three seals")

            let root = "/workbench/e/harbor/behaviors/segments"
            let empty = try await browser.get("\(root)/new").body
            #expect(empty.contains(">left a note</option>") && empty.contains(">left no note</option>"))
            #expect(empty.contains("data-kind=\"probeNote\" hidden") && !empty.contains("Three"))
            func form(_ kind: String, _ word: String) -> [String: String] {
                [
                    "name": "Seals", "match": "all", "conditions[0].kind": kind,
                    "conditions[0].probeNote.word": word,
                ]
            }
            for word in ["", String(repeating: "x", count: 21)] {
                let refused = try await browser.post("\(root)/new", form("probeNote", word))
                #expect(refused.status == 422)
                #expect(refused.body.contains("id=\"conditions-0--probeNote-word-fault\""))
            }
            let made = try await browser.post("\(root)/new", form("probeNote", "seals"))
            let page = try await browser.get(made.location)
            #expect(page.body.contains("1 user of 3 now") && page.body.contains(">maya</a>"))
            #expect(
                page.body.contains("value=\"seals\"") && !page.body.contains("data-kind=\"probeNote\" hidden")
            )
            let id = SegmentID(String(made.location.split(separator: "/").last ?? ""))
            #expect(try await segments.users("harbor", id) == ["maya"])
            let rule = try #require(try await segments.segment("harbor", id)).rule
            #expect(try JSONColumn.text(rule.conditions) == #"[{"probeNote":{"word":"seals"}}]"#)

            #expect(try await browser.post(made.location, form("not-probeNote", "seals")).status == 303)
            #expect(try await segments.users("harbor", id) == ["ada", "jo"])
        }
    }

    /// Runs the body with a server that has the feature, and a browser in which an administrator is signed in.
    private func serve(
        _ engine: SQLEngine, _ body: (InlayServer, Browser) async throws -> Void
    ) async throws {
        try await TestDatabase.withURL(engine) { url in
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "added-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            var configuration = InlayServerConfiguration()
            configuration.port = 0
            configuration.database = SecretString(url)
            configuration.contentSecretFile = folder.appendingPathComponent("content.secret").path
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            let server = try await InlayServer.make(configuration, logger: logger) { [ProbeFeature($0)] }
            _ = try await server.services.operators.create(
                login: "ada", password: Self.password, role: .admin)
            let group = ServiceGroup(configuration: .init(services: [server], logger: logger))
            async let running: Void = group.run()
            let result: Result<Void, any Error>
            do {
                guard let port = await server.port else { throw WaitTimedOut(what: "the port") }
                let browser = try await Browser.signedIn("ada", Self.password, port: port)
                result = .success(try await body(server, browser))
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await running
            try result.get()
        }
    }
}

/// A client that keeps the cookie of a sign-in and sends each form with the CSRF token of its page.
private struct Browser {
    struct Response {
        let status: Int
        let body: String
        let cookies: [String]
        let location: String
    }

    let port: Int
    var cookie = ""

    static func signedIn(_ login: String, _ password: String, port: Int) async throws -> Browser {
        var browser = Browser(port: port)
        let page = try await browser.get("/workbench/sign-in")
        browser.cookie = page.cookies.joined(separator: "; ")
        let answer = try await browser.post(
            "/workbench/sign-in", ["login": login, "password": password, "next": "/workbench"], tokenOf: page)
        browser.cookie = answer.cookies.joined(separator: "; ")
        return browser
    }

    func get(_ path: String) async throws -> Response { try await send("GET", path, [:], nil) }

    func post(_ path: String, _ fields: [String: String]) async throws -> Response {
        try await post(path, fields, tokenOf: try await get(path))
    }

    private func post(_ path: String, _ fields: [String: String], tokenOf page: Response) async throws
        -> Response
    {
        let start = page.body.range(of: "name=\"csrf\" value=\"")
        let token = start.map { page.body[$0.upperBound...].prefix { $0 != "\"" } } ?? ""
        var form = URLComponents()
        form.queryItems =
            fields.map { URLQueryItem(name: $0, value: $1) } + [.init(name: "csrf", value: String(token))]
        return try await send(
            "POST", path, ["Content-Type": "application/x-www-form-urlencoded"],
            ByteBuffer(string: form.percentEncodedQuery ?? ""))
    }

    func send(
        _ method: String, _ path: String, _ headers: [String: String], _ body: ByteBuffer?
    ) async throws -> Response {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = .init(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if !cookie.isEmpty { request.headers.add(name: "Cookie", value: cookie) }
        if let body { request.body = .bytes(body) }
        var settings = HTTPClient.Configuration(redirectConfiguration: .disallow)
        settings.timeout.connect = .seconds(60)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        do {
            let response = try await client.execute(request, timeout: .seconds(60))
            let text = String(buffer: try await response.body.collect(upTo: 1 << 22))
            try await client.shutdown()
            return Response(
                status: Int(response.status.code), body: text,
                cookies: response.headers["Set-Cookie"].map { String($0.prefix { $0 != ";" }) },
                location: response.headers.first(name: "Location") ?? "")
        } catch {
            try await client.shutdown()
            throw error
        }
    }
}
