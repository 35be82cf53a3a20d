import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The caller of a request that comes through a proxy.
@Suite(.timeLimit(.minutes(5))) struct ForwardedCallerTests {
    private static func name(of header: ProxyHeader) -> String {
        header == .forwarded ? "Forwarded" : "X-Forwarded-For"
    }

    /// Signs in through the Workbench's form, and returns the status.
    private func signIn(
        _ site: WorkbenchSite, _ login: String, _ password: String, header: ProxyHeader = .xForwardedFor,
        from entry: String
    ) async throws -> Int {
        let browser = site.browser(), headers = [Self.name(of: header): entry]
        let page = try await browser.get("/workbench/sign-in", headers: headers)
        let fields = [("csrf", page.csrf), ("login", login), ("password", password), ("next", "/workbench")]
        return try await browser.postRaw("/workbench/sign-in", fields, headers: headers).status
    }

    @Test(arguments: [
        (ProxyHeader.xForwardedFor, "203.0.113.8"), (ProxyHeader.xForwardedFor, "203.0.113.8:PORT"),
        (ProxyHeader.xForwardedFor, "[2001:db8::8]:PORT"), (ProxyHeader.forwarded, "for=203.0.113.8"),
        (ProxyHeader.forwarded, "for=\"203.0.113.8:PORT\";proto=https"),
        (ProxyHeader.forwarded, "for=\"[2001:db8::8]:PORT\""),
    ])
    func `one address has twenty wrong passwords, whatever port a proxy adds to it`(
        _ header: ProxyHeader, _ entry: String
    ) async throws {
        try await WorkbenchSite.run(configure: {
            $0.trustsProxy = true
            $0.proxyHeader = header
        }) { site in
            var statuses: [Int] = []
            for number in 0..<24 {
                let entry = entry.replacing("PORT", with: "\(40_000 + number)")
                statuses.append(
                    try await signIn(site, "other-\(number)", "no", header: header, from: entry))
            }
            #expect(statuses == Array(repeating: 403, count: 20) + Array(repeating: 429, count: 4))
        }
    }

    @Test(arguments: ["203.0.113.9:PORT", "[2001:db8::9]:PORT", "[::ffff:203.0.113.9]:PORT"])
    func `an operator's known network is recognized on the next connection`(_ home: String)
        async throws
    {
        try await WorkbenchSite.run(configure: { $0.trustsProxy = true }) { site in
            func signIn(_ password: String, from entry: String) async throws -> Int {
                try await self.signIn(site, "editor", password, from: entry)
            }
            let right = WorkbenchSite.password
            #expect(try await signIn(right, from: home.replacing("PORT", with: "50001")) == 303)
            for number in 0..<7 { _ = try await signIn("no", from: "198.51.100.\(number):50003") }
            #expect(try await signIn(right, from: "198.51.100.9:50004") == 429)
            #expect(try await signIn(right, from: home.replacing("PORT", with: "50002")) == 303)
        }
    }

    @Test(arguments: ProxyHeader.allCases)
    func `a request without a readable address counts for the proxy, which is logged once`(
        _ header: ProxyHeader
    ) async throws {
        let (logger, lines) = RecordedLog.make()
        try await TestApp.run(
            configure: {
                $0.rates.perAddress = 1
                $0.trustsProxy = true
                $0.proxyHeader = header
            }, logger: logger
        ) { app async throws in
            var statuses: [Int] = []
            for entry in ["unknown", "_hidden", "203.0.113.5, unknown", "203.0.113.8:x", ""] {
                let headers = [Self.name(of: header): entry]
                statuses.append(try await app.send("GET", "/health", headers: headers).status)
            }
            #expect(statuses == [200, 200, 200, 200, 429])
            let warnings = lines.withLockedValue { $0 }.filter { $0.text.contains("names no address") }
            #expect(warnings.count == 1 && warnings.first?.level == .warning)
            #expect(warnings.first?.text.contains("unknown") == true)
        }
    }

    @Test func `of what is no address, the log has no more than 64 code points`() async throws {
        let (logger, lines) = RecordedLog.make()
        try await TestApp.run(configure: { $0.trustsProxy = true }, logger: logger) { app async throws in
            let headers = ["X-Forwarded-For": "e" + String(repeating: "\u{301}", count: 1_000)]
            #expect(try await app.send("GET", "/health", headers: headers).status == 200)
            let warning = try #require(
                lines.withLockedValue { $0 }.first { $0.text.contains("names no address") })
            // The log escapes them.
            #expect(warning.text.ranges(of: #"\u{0301}"#).count == 64)
        }
    }

    @Test(arguments: ProxyHeader.allCases)
    func `only the header of the settings counts, and of its lines the last`(_ header: ProxyHeader)
        async throws
    {
        try await TestApp.run(configure: {
            $0.rates.perAddress = 1
            $0.trustsProxy = true
            $0.proxyHeader = header
        }) { app async throws in
            func status(_ caller: String, and others: [String]) async throws -> String {
                let entry = header == .forwarded ? "for=\(caller)" : caller
                let lines = ["GET /health HTTP/1.1"] + others + ["\(Self.name(of: header)): \(entry)"]
                let line = try await RawConnection.firstLine(app, lines)
                return String(line.dropFirst("HTTP/1.1 ".count).prefix(3))
            }
            for number in 0..<5 {
                // Addresses that the caller wrote itself, into the same header and into all others.
                let own = [
                    "X-Forwarded-For: 10.0.0.\(number)", "Forwarded: for=10.0.0.\(number)",
                    "X-Real-IP: 10.0.0.\(number)",
                ]
                #expect(try await status("203.0.113.5", and: own) == (number < 4 ? "200" : "429"))
            }
            #expect(try await status("203.0.113.6", and: []) == "200")
            let long = "\(Self.name(of: header)): " + String(repeating: "1,", count: 10_000)
            #expect(try await status("203.0.113.5", and: [long]) == "429")
        }
    }

    @Test func `the log has a forwarded address without its port`() async throws {
        let (logger, lines) = RecordedLog.make()
        try await TestApp.run(configure: { $0.trustsProxy = true }, logger: logger) { app async throws in
            let headers = ["X-Forwarded-For": "[2001:DB8::8]:40000"]
            #expect(try await app.send("GET", "/health", headers: headers).status == 200)
            let requests = lines.withLockedValue { $0 }.filter { $0.text.contains("/health") }
            #expect(requests.contains { $0.text.contains("2001:db8::8") && !$0.text.contains("]:40000") })
        }
    }
}
