import AsyncHTTPClient
import Foundation
import InlayAdsServer
import InlayHubServer
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Metrics
import NIOConcurrencyHelpers
import Testing

@testable import InlayServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// The operation of a server: health, metrics, stops, backups and restores.
@Suite(.timeLimit(.minutes(5))) struct OperationsTests {
    @Test(arguments: SQLEngine.allCases)
    func `the server is healthy and ready without any set-up`(_ engine: SQLEngine) async throws {
        try await TestApp.run(engine) { app async throws in
            #expect(try await app.send("GET", "/health").text == #"{"status":"ok"}"#)
            #expect(try await app.send("GET", "/ready").text == #"{"status":"ready"}"#)
        }
    }

    @Test func `a server without its database is alive but not ready`() async throws {
        try await TestApp.run { app in
            app.services.database.close()
            #expect(try await app.send("GET", "/health").status == 200)
            let answer = try await app.send("GET", "/ready")
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "1")
            #expect(try answer.code == "unavailable")
        }
    }

    @Test func `requests are counted by route, never by path`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            _ = try await app.send("GET", "/v1/users/very-private", headers: tenant.backend)
            let page = try await app.send("GET", "/metrics").text
            #expect(
                page.contains(
                    #"inlay_http_requests_total{method="GET",route="/v1/users/{id}",status="404"} 1"#),
                "\(page)")
            #expect(!page.contains("very-private"))
        }
    }

    @Test func `every metric on the page is described there and in the guide`() async throws {
        try await TestApp.run { app in
            let guide = try String(contentsOf: Self.guide, encoding: .utf8)
            let described = Set(app.server.features.all.flatMap(\.metrics).map(\.name))
            for name in described { #expect(guide.contains("\n| `\(name)` |"), "\(name)") }
            _ = try await app.send("GET", "/health")
            let lines = String(decoding: try await app.send("GET", "/metrics").body, as: UTF8.self)
                .split(separator: "\n")
            let shown = lines.filter { $0.hasPrefix("# TYPE ") }.map { String($0.split(separator: " ")[2]) }
            #expect(shown.contains("inlay_http_requests_total") && described.isSuperset(of: shown))
            for name in shown { #expect(lines.contains { $0.hasPrefix("# HELP \(name) ") }, "\(name)") }
        }
    }

    @Test func `the guide has the numbers of every limit, and no other limits`() throws {
        let guide = try String(contentsOf: Self.guide, encoding: .utf8)
        let lines = guide.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let heading = try #require(lines.firstIndex { $0.hasPrefix("| what | IPv4 address or IPv6 /64 |") })
        let rows = lines[(heading + 2)...].prefix { $0.hasPrefix("|") }
        func cell(_ maximum: Int) -> String { maximum == 0 ? "-" : "\(maximum)" }
        let limits = (CallerLimit.all + [.adRequests(RateLimits())]).map { limit in
            let seconds = limit.period.components.seconds
            let period = seconds % 60 == 0 ? "\(seconds / 60) minutes" : "\(seconds) seconds"
            let maxima = [limit.maximumPerNetwork, limit.maximumPerIPv4Block, limit.maximumPerIPv6Block]
            return "| \(limit.name) | \(maxima.map(cell).joined(separator: " | ")) | \(period) |"
        }
        #expect(Array(rows) == limits)
        let rates = RateLimits()
        let perSecond = "\(rates.perAddress), \(rates.perKey), \(rates.perUser)"
        #expect(guide.contains("| `--rate-address`, `--rate-key`, `--rate-user` | \(perSecond) |"))
        #expect(guide.contains("| `--rate-ads` | \(rates.adsPerNetwork) |"))
    }

    private static let guide = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Docs/Operating.md")

    @Test func `the metrics page can require a token`() async throws {
        try await TestApp.run(configure: { $0.metricsToken = "right" }) { app async throws in
            #expect(try await app.send("GET", "/metrics").status == 401)
            #expect(
                try await app.send("GET", "/metrics", headers: ["Authorization": "Bearer wrong"]).status
                    == 401)
            #expect(
                try await app.send("GET", "/metrics", headers: ["Authorization": "Bearer right"]).status
                    == 200)
        }
    }

    @Test func `the page speaks Prometheus' format`() {
        let metrics = PrometheusMetrics()
        let counter = Counter(label: "sent.cards", dimensions: [("name", "a \"b\"\\\n")], factory: metrics)
        counter.increment(by: 2)
        counter.increment()
        Meter(label: "open", dimensions: [], factory: metrics).set(1.5)
        let timer = Timer(label: "took_seconds", dimensions: [("route", "/x")], factory: metrics)
        timer.recordMilliseconds(3)
        timer.recordSeconds(60)
        let descriptions = [MetricDescription("open", "Open \\ now,\nhere.")]
        let lines = metrics.page(descriptions).split(separator: "\n").map(String.init)
        #expect(lines.contains("# TYPE sent_cards counter"))
        #expect(lines.contains(#"sent_cards{name="a \"b\"\\\n"} 3"#))
        #expect(lines.contains("open 1.5"))
        #expect(lines.contains(#"# HELP open Open \\ now,\nhere."#))
        #expect(lines.contains(#"took_seconds_bucket{route="/x",le="0.0025"} 0"#))
        #expect(lines.contains(#"took_seconds_bucket{route="/x",le="0.005"} 1"#))
        #expect(lines.contains(#"took_seconds_bucket{route="/x",le="+Inf"} 2"#))
        #expect(lines.contains(#"took_seconds_count{route="/x"} 2"#))
        #expect(lines.contains(#"took_seconds_sum{route="/x"} 60.003"#))
    }

    @Test func `a line feed after a carriage return and a quotation mark with a combining mark are escaped`()
    {
        let metrics = PrometheusMetrics()
        Counter(label: "sent", dimensions: [("name", "a\r\nb\"\u{301}")], factory: metrics).increment()
        let page = Array(metrics.page([MetricDescription("sent", "Sent\r\nnow.")]).utf8)
        let expected = """
            # HELP sent Sent\r\\nnow.
            # TYPE sent counter
            sent{name="a\r\\nb\\"\u{301}"} 1

            """
        #expect(page == Array(expected.utf8))
    }

    @Test func `the number of label values that are kept is limited`() {
        let metrics = PrometheusMetrics()
        for number in 0..<5000 {
            Counter(label: "c", dimensions: [("n", String(number))], factory: metrics).increment()
        }
        #expect(metrics.page().split(separator: "\n").count == 2001)
    }

    @Test func `a stop answers the current request and closes sockets with 1001`() async throws {
        let begun = AsyncStream.makeStream(of: Void.self), open = AsyncStream.makeStream(of: Void.self)
        let features: @Sendable (ServerServices) -> [any ServerFeature] = { services in
            [
                EchoFeature(
                    services: services, begun: { begun.continuation.yield() },
                    gate: { for await _ in open.stream { return } })
            ]
        }
        // Both tasks end by themselves once the server stopped; the test waits for them.
        let (answer, last) = try await TestApp.run(features: features) { app in
            let headers = try await TestTenant.make(app).headers(app)
            let ready = AsyncStream.makeStream(of: Void.self)
            let slow = HTTPClientRequest(url: "http://127.0.0.1:\(app.port)/test/slow")
            let answer = Task { try await HTTPClient.shared.execute(slow, timeout: .seconds(60)).status.code }
            let last = Task {
                try await TestSocket.open(app, headers) { socket in
                    _ = try await socket.next()
                    ready.continuation.yield()
                    defer { open.continuation.yield() }
                    return try await socket.next()
                }
            }
            for await _ in begun.stream { break }
            for await _ in ready.stream { break }
            return (answer, last)
        }
        #expect(try await answer.value == 200)
        #expect(try await last.value == .closed(1001))
    }

    @Test func `a second server on one SQLite file is refused`() async throws {
        try await TestDatabase.withURL(.sqlite) { url in
            try await TestApp.run(url: url) { _ in
                let error = await #expect(throws: ConfigurationError.self) {
                    let _: Void = try await TestApp.run(url: url) { _ in }
                }
                #expect(error?.description.contains("Another server") == true)
            }
            try await TestApp.run(url: url) { app async throws in
                #expect(try await app.send("GET", "/ready").status == 200)
            }
        }
    }

    @Test func `a backup of a running server can be restored, and the replaced database is kept`()
        async throws
    {
        try await TestDatabase.withFolder { folder in
            let url = "sqlite:\(folder)/data/inlay.sqlite", copy = "\(folder)/copy.sqlite"
            try await TestApp.run(url: url) { app in
                _ = try await TestTenant.make(app, "harbor")
                _ = try await app.services.operators.createFirst()
                try await app.services.database.backup(to: copy)
                _ = try await TestTenant.make(app, "later")
                await #expect(throws: ConfigurationError.self) {
                    try await DatabaseRestore.run(from: copy, into: url)
                }
            }
            let kept = try #require(try await DatabaseRestore.run(from: copy, into: url).kept)
            try await TestApp.run(url: url) { app async throws in
                #expect(try await app.services.environments.environments().map(\.id) == ["harbor"])
            }
            try await TestApp.run(url: "sqlite:" + kept) { app async throws in
                #expect(try await app.services.environments.environments().map(\.id) == ["harbor", "later"])
            }
        }
    }

    @Test func `a backup neither creates nor migrates a database`() async throws {
        try await TestDatabase.withFolder { folder in
            let url = "sqlite:\(folder)/inlay.sqlite"
            await #expect(throws: ConfigurationError.self) {
                try await DatabaseBackup.run(from: url, to: "\(folder)/copy.sqlite")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            try await SQLDatabaseURL.open(url).close()
            try await DatabaseBackup.run(from: url, to: "\(folder)/copy.sqlite")
            let copy = try await SQLDatabaseURL.open("sqlite:\(folder)/copy.sqlite")
            defer { copy.close() }
            #expect(try await copy.read { try $0.rows("SELECT name FROM sqlite_master").count } == 0)
        }
    }

    @Test func `a restore of a database that was not closed includes its write-ahead log`() async throws {
        try await TestDatabase.withFolder { folder in
            let url = "sqlite:\(folder)/data/inlay.sqlite", crashed = "\(folder)/crashed.sqlite"
            try await TestApp.run(url: url) { app async throws in
                _ = try await app.services.operators.createFirst()
                _ = try await TestTenant.make(app, "harbor")
                // A crash leaves the database's file, and beside it a log with writes that the file does not have.
                for suffix in ["", "-wal"] {
                    try FileManager.default.copyItem(
                        atPath: "\(folder)/data/inlay.sqlite" + suffix, toPath: crashed + suffix)
                }
            }
            _ = try await DatabaseRestore.run(from: crashed, into: url)
            try await TestApp.run(url: url) { app async throws in
                #expect(try await app.services.environments.environments().map(\.id) == ["harbor"])
            }
        }
    }

    @Test func `a file that is no backup changes nothing`() async throws {
        try await TestDatabase.withFolder { folder in
            let url = "sqlite:\(folder)/inlay.sqlite"
            try await TestApp.run(url: url) { app in _ = try await TestTenant.make(app, "harbor") }
            let bad = "\(folder)/bad.sqlite"
            try Data(repeating: 7, count: 100_000).write(to: URL(fileURLWithPath: bad))
            await #expect(throws: (any Error).self) { try await DatabaseRestore.run(from: bad, into: url) }
            await #expect(throws: (any Error).self) {
                try await DatabaseRestore.run(from: folder + "/none", into: url)
            }
            try await TestApp.run(url: url) { app async throws in
                #expect(try await app.services.environments.environments().map(\.id) == ["harbor"])
            }
        }
    }

    @Test(arguments: [Data(), Data(repeating: 7, count: 100_000)])
    func `a restore in place of a database that cannot be read says that keys may be lost, and can be forced`(
        damaged: Data
    ) async throws {
        try await TestDatabase.withFolder { folder in
            let url = "sqlite:\(folder)/data/inlay.sqlite", copy = "\(folder)/copy.sqlite"
            try await TestApp.run(url: url) { app in
                _ = try await TestTenant.make(app, "harbor")
                try await app.services.database.backup(to: copy)
            }
            let file = URL(fileURLWithPath: "\(folder)/data/inlay.sqlite")
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
            try damaged.write(to: file)
            let error = await #expect(throws: ConfigurationError.self) {
                try await DatabaseRestore.run(from: copy, into: url)
            }
            #expect(error?.description.contains("keys of content were changed") == true)
            #expect(error?.description.contains("--allow-lockout") == true)
            #expect(try Data(contentsOf: file) == damaged)
            _ = try await DatabaseRestore.run(from: copy, into: url, allowsLockout: true)
            try await TestApp.run(url: url) { app async throws in
                #expect(try await app.services.environments.environments().map(\.id) == ["harbor"])
            }
        }
    }

    @Test func `a database that cannot be set aside as a whole stays where it is`() async throws {
        try await TestDatabase.withFolder { folder in
            let url = "sqlite:\(folder)/data/inlay.sqlite", copy = "\(folder)/copy.sqlite"
            try await TestApp.run(url: url) { app in
                _ = try await TestTenant.make(app, "harbor")
                try await app.services.database.backup(to: copy)
            }
            let file = "\(folder)/data/inlay.sqlite", moment = Timestamp(microseconds: 1_772_366_400_000_000)
            // A database that cannot be read is not opened, so it keeps the files beside it.
            for suffix in ["", "-wal", "-shm"] {
                try Data("previous\(suffix)".utf8).write(to: URL(fileURLWithPath: file + suffix))
            }
            // A folder is in the way of the last of the three files.
            let taken = "\(file).before-restore-\(Int64(moment.seconds))-shm"
            try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: false)
            await #expect(throws: (any Error).self) {
                try await DatabaseRestore.run(from: copy, into: url, allowsLockout: true, at: moment)
            }
            for suffix in ["", "-wal", "-shm"] {
                #expect(
                    try Data(contentsOf: URL(fileURLWithPath: file + suffix))
                        == Data("previous\(suffix)".utf8))
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/data")
            #expect(!left.contains { $0.contains(".restoring") }, "\(left)")
        }
    }

    @Test
    func
        `a restore where no database is names the sources whose devices may be locked out, and can be forced`()
        async throws
    {
        try await TestDatabase.withFolder { folder in
            let url = "sqlite:\(folder)/data/inlay.sqlite", copy = "\(folder)/copy.sqlite"
            let withoutKeys = "\(folder)/without-keys.sqlite"
            try await TestApp.run(url: url) { app in
                _ = try await TestTenant.make(app, "harbor")
                let hub = app.server.features.hub
                try await hub.content.createSource("harbor", id: "main", name: "Main")
                try await app.services.database.backup(to: withoutKeys)
                try await hub.publisher.createKeys("harbor", "main")
                try await app.services.database.backup(to: copy)
            }
            let file = "\(folder)/data/inlay.sqlite"
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
            let error = await #expect(throws: ConfigurationError.self) {
                try await DatabaseRestore.run(from: copy, into: url)
            }
            let message = try #require(error?.description)
            for part in ["There is no database at \(file)", "harbor/main", "--allow-lockout"] {
                #expect(message.contains(part), "\(message)")
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/data")
            #expect(!left.contains { $0.hasSuffix(".sqlite") || $0.contains(".restoring") }, "\(left)")
            // No device can trust a source without keys, so its restore needs no force.
            let other = "sqlite:\(folder)/other/inlay.sqlite"
            #expect(try await DatabaseRestore.run(from: withoutKeys, into: other).kept == nil)
            #expect(try await DatabaseRestore.run(from: copy, into: url, allowsLockout: true).kept == nil)
            try await TestApp.run(url: url) { app async throws in
                #expect(try await app.services.environments.environments().map(\.id) == ["harbor"])
            }
        }
    }

    @Test func `the write-ahead log of a removed database is not applied to the restored one`() async throws {
        try await TestDatabase.withFolder { folder in
            let url = "sqlite:\(folder)/data/inlay.sqlite", copy = "\(folder)/copy.sqlite"
            let (file, log) = ("\(folder)/data/inlay.sqlite", "\(folder)/log")
            try await TestApp.run(url: url) { app async throws in
                _ = try await app.services.operators.createFirst()
                _ = try await TestTenant.make(app, "harbor")
                try await app.services.database.backup(to: copy)
                _ = try await TestTenant.make(app, "later")
                try FileManager.default.copyItem(atPath: file + "-wal", toPath: log)
            }
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.copyItem(atPath: log, toPath: file + "-wal")
            #expect(try await DatabaseRestore.run(from: copy, into: url).kept == nil)
            let kept = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/data")
            #expect(kept.contains { $0.hasPrefix("inlay.sqlite.before-restore-") && $0.hasSuffix("-wal") })
            try await TestApp.run(url: url) { app async throws in
                #expect(try await app.services.environments.environments().map(\.id) == ["harbor"])
            }
        }
    }
}
