import Configuration
import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import NIOSSL
import Testing

@testable import InlayDevicesServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Mails to end users: their format, how they are sent, and what happens when that fails.
@Suite(.timeLimit(.minutes(3))) struct MailTests {
    private func settings(_ port: Int, _ security: SMTPSettings.Security = .none, user: String? = nil) throws
        -> SMTPSettings
    {
        try SMTPSettings(
            host: "127.0.0.1", port: port, security: security, user: user,
            password: user.map { _ in "secret" },
            sender: "no-reply@harbor.example")
    }

    /// Returns a client whose time limit ends a conversation that hangs, but not a slow one on a busy machine.
    private func client(_ settings: SMTPSettings, roots: NIOSSLTrustRoots = .default) -> SMTPClient {
        SMTPClient(settings, roots: roots, limit: .minutes(2))
    }

    private func message(_ name: String = "Harbor", recipient: String = "ada@example.com") -> MIMEMessage {
        MIMEMessage(
            .welcome(name, code: "ABCDEFGH"), id: "1-a", to: recipient, from: "no-reply@harbor.example",
            name: name, at: Date(timeIntervalSince1970: 1_772_366_400))
    }

    private func parts(_ delivery: LoopbackMailServer.Delivery) -> [String] {
        delivery.text.components(separatedBy: "Content-Transfer-Encoding: base64\n\n").dropFirst().compactMap
        {
            let lines = $0.split(separator: "\n").prefix { !$0.hasPrefix("--") }
            return Data(base64Encoded: lines.joined()).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test func `a mail goes out over SMTP with its code as text and as HTML`() async throws {
        let server = LoopbackMailServer()
        try await server.run { port in
            try await client(settings(port)).send(message())
        }
        let delivery = try #require(server.deliveries.first)
        #expect(delivery.sender == "MAIL FROM:<no-reply@harbor.example>")
        #expect(delivery.recipient == "RCPT TO:<ada@example.com>")
        #expect(delivery.lines.contains("Date: Sun, 01 Mar 2026 12:00:00 +0000"))
        #expect(delivery.lines.contains("Message-ID: <1-a@harbor.example>"))
        #expect(delivery.lines.allSatisfy { $0.utf8.count <= 78 && $0.utf8.allSatisfy { $0 < 128 } })
        let bodies = parts(delivery)
        #expect(bodies.count == 2 && bodies.allSatisfy { $0.contains("ABCD-EFGH") })
        #expect(server.lines.last == "QUIT")
    }

    @Test func `no application name breaks out of a header or of HTML`() async throws {
        let name = "Évil <b>&\"\r\nBcc: eve@example.com\r\n\r\n.\r\nQUIT"
        let server = LoopbackMailServer()
        try await server.run { port in
            try await client(settings(port)).send(message(name))
        }
        let delivery = try #require(server.deliveries.first)
        #expect(!delivery.lines.contains { $0.hasPrefix("Bcc") })
        #expect(server.lines.count { $0.hasPrefix("RCPT") } == 1 && server.lines.count { $0 == "QUIT" } == 1)
        let html = try #require(parts(delivery).last)
        #expect(html.contains("Évil &lt;b&gt;&amp;&quot;") && !html.contains("<b>"))
        let subject = delivery.lines.first { $0.hasPrefix("Subject: ") } ?? ""
        #expect(subject.hasPrefix("Subject: =?UTF-8?B?"))
    }

    @Test func `names, subjects and words of any script arrive as they were written`() async throws {
        let names = [
            "Gärtnerei Müßig", "港の喫茶店", "מפתח", "☕️ Café 👩🏽‍🚀", String(repeating: "é", count: 120),
            "Z" + String(repeating: "\u{301}", count: 100),
        ]
        let server = LoopbackMailServer()
        try await server.run { port in
            for name in names {
                try await client(settings(port)).send(message(name))
            }
        }
        #expect(server.deliveries.count == names.count)
        for (name, delivery) in zip(names, server.deliveries) {
            // Any mail server on the way can relay it: only ASCII, no line over 78 bytes (RFC 5322), and none with an
            // encoded word over 76 (RFC 2047).
            #expect(delivery.lines.allSatisfy { $0.utf8.allSatisfy { $0 < 128 } && $0.utf8.count <= 78 })
            #expect(delivery.lines.allSatisfy { $0.utf8.count <= 76 || !$0.contains("=?UTF-8?B?") })
            let words = delivery.lines.joined(separator: " ").matches(of: /=\?UTF-8\?B\?[A-Za-z0-9+\/=]*\?=/)
            #expect(words.allSatisfy { $0.output.utf8.count <= 75 })
            #expect(header("Subject", delivery) == "Your code for \(name)")
            #expect(header("From", delivery) == "\(name) <no-reply@harbor.example>")
            #expect(parts(delivery).first?.contains("Welcome to \(name)") == true)
        }
    }

    /// A header field as a mail program shows it: unfolded (RFC 5322), its words decoded (RFC 2047).
    private func header(_ name: String, _ delivery: LoopbackMailServer.Delivery) -> String? {
        guard let first = delivery.lines.firstIndex(where: { $0.hasPrefix("\(name): ") }) else { return nil }
        let rest = delivery.lines[(first + 1)...].prefix { $0.hasPrefix(" ") }
        let text = ([String(delivery.lines[first].dropFirst(name.count + 2))] + rest).joined()
        var bytes = Data(), end = text.startIndex
        for match in text.matches(of: /=\?UTF-8\?B\?([A-Za-z0-9+\/=]*)\?=/) {
            // White space between two encoded words is not part of the text (RFC 2047, section 6.2).
            let between = text[end..<match.range.lowerBound]
            if !between.allSatisfy(\.isWhitespace) { bytes += Data(between.utf8) }
            bytes += Data(base64Encoded: String(match.output.1)) ?? Data()
            end = match.range.upperBound
        }
        bytes += Data(text[end...].utf8)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `STARTTLS comes before the password, and an untrusted server gets neither`() async throws {
        let certificate = try await TestCertificate()
        var script = LoopbackMailServer.Script()
        (script.offersTLS, script.wantsPassword) = (true, true)
        let server = LoopbackMailServer(script)
        let roots = certificate.roots
        try await server.run(tls: certificate.context) { port in
            let settings = try self.settings(port, .startTLS, user: "inlay")
            try await client(settings, roots: roots).send(message())
            await #expect(throws: SMTPFault.self) {
                try await client(settings).send(message())
            }
        }
        #expect(server.deliveries.count == 1)
        #expect(server.deliveries.first?.wasEncrypted == true)
        #expect(server.deliveries.first?.signedInAs == "|inlay|secret")
        // Both clients began the handshake, and the second one sent nothing after it.
        let verbs = server.lines.map { line in line.prefix { $0 != " " && $0 != ":" } }
        let delivery = ["EHLO", "STARTTLS", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "QUIT"]
        #expect(verbs.map(String.init) == delivery + ["EHLO", "STARTTLS"])
    }

    @Test func `a server that offers only AUTH LOGIN gets the user and the password one after the other`()
        async throws
    {
        var script = LoopbackMailServer.Script()
        (script.wantsPassword, script.mechanism) = (true, "LOGIN")
        let server = LoopbackMailServer(script)
        try await server.run { port in
            try await client(settings(port, user: "inlay")).send(message())
        }
        #expect(server.deliveries.map(\.signedInAs) == ["inlay|secret"])
    }

    @Test func `a server without STARTTLS, or with text before the handshake, gets no password`()
        async throws
    {
        for (early, reason) in [
            ("", "The mail server does not offer STARTTLS."),
            ("\r\n250 AUTH PLAIN", "The mail server spoke before the handshake."),
        ] {
            var script = LoopbackMailServer.Script()
            (script.offersTLS, script.wantsPassword, script.early) = (!early.isEmpty, true, early)
            let server = LoopbackMailServer(script)
            try await server.run { port in
                let settings = try self.settings(port, .startTLS, user: "inlay")
                await #expect(throws: SMTPFault(text: reason, isFinal: false)) {
                    try await client(settings).send(message())
                }
            }
            #expect(!server.lines.contains { $0.hasPrefix("AUTH") })
        }
    }

    @Test func `a permanent refusal is distinguished from a temporary one`() async throws {
        let cases = [
            ("RCPT", "550 nobody here", true), ("RCPT", "450 later", false), ("AUTH", "535 wrong", false),
            ("END", "552 too large", true), ("MAIL", "451 busy", false), ("MAIL", "550 not you", false),
        ]
        for (verb, words, isFinal) in cases {
            var script = LoopbackMailServer.Script()
            (script.wantsPassword, script.replies) = (true, [verb: [words]])
            try await LoopbackMailServer(script).run { port in
                let settings = try self.settings(port, user: "inlay")
                await #expect {
                    try await client(settings).send(message())
                } throws: { error in
                    let fault = error as? SMTPFault
                    return fault?.isFinal == isFinal && fault?.text.hasSuffix(": \(words)") == true
                }
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a mail is retried while its mail server fails, and is sent once`(_ engine: SQLEngine) async throws {
        var script = LoopbackMailServer.Script()
        script.replies = ["MAIL": ["451 busy", "421 no"]]
        let server = LoopbackMailServer(script)
        try await server.run { port in
            let settings = try self.settings(port)
            try await DeviceSite.run(engine) { site in
                let mails = site.feature.mails
                let runner = site.mailRunner(SMTPClient(settings))
                _ = try await site.create("ada@example.com")
                try await runner.runDue()
                let waiting = try #require(try await mails.mails(DeviceSite.environmentID).first)
                #expect(waiting.state == .waiting && waiting.tries == 1)
                #expect(waiting.fault == "MAIL FROM: 451 busy")
                try await runner.runDue()
                #expect(try await mails.mails(DeviceSite.environmentID).first?.tries == 1)
                site.app.clock.advance(by: .seconds(5))
                try await runner.runDue()
                site.app.clock.advance(by: .seconds(10))
                try await runner.runDue()
                try await runner.runDue()
                let sent = try #require(try await mails.mails(DeviceSite.environmentID).first)
                #expect(sent.state == .sent && sent.tries == 3 && sent.code == nil && sent.fault == nil)
                // The body of a sent mail is not kept.
                let bodies = try await site.app.services.database.read {
                    try $0.rows("SELECT body FROM device_mails WHERE body IS NOT NULL").count
                }
                #expect(bodies == 0)
            }
        }
        #expect(server.deliveries.count == 1)
    }

    @Test func `a mail whose run takes too long counts as tried and waits`() async throws {
        var script = LoopbackMailServer.Script()
        script.isSilent = true
        try await LoopbackMailServer(script).run { port in
            let client = SMTPClient(try self.settings(port))
            try await DeviceSite.run { site in
                let services = site.app.services
                let runner = JobRunner(
                    services.jobs,
                    [ShortRuns(MailJobs(mails: site.feature.mails, client: client, logger: .quiet))],
                    logger: .quiet, metrics: services.metrics, chance: { 0 })
                _ = try await site.create("ada@example.com")
                try await within { try await runner.runDue() }
                let mail = try #require(try await site.feature.mails.mails(DeviceSite.environmentID).first)
                #expect(mail.state == .waiting && mail.tries == 1)
                #expect(mail.fault?.contains("took longer") == true, "\(mail.fault ?? "")")
            }
        }
    }

    @Test func `an address that a mail server repeats stays out of the log`() {
        let fault = SMTPFault(
            text: "550 5.1.1 <Ada@Example.com>: Recipient address rejected: User ada unknown", isFinal: true)
        let words = fault.text(hiding: "ada@example.com")
        #expect(words == "550 5.1.1 <…>: Recipient address rejected: User … unknown")
    }

    @Test func `an expired mail is given up and loses its code`() async throws {
        var script = LoopbackMailServer.Script()
        script.isDead = true
        try await LoopbackMailServer(script).run { port in
            let settings = try self.settings(port)
            try await DeviceSite.run { site in
                let runner = site.mailRunner(SMTPClient(settings))
                _ = try await site.create("ada@example.com")
                for _ in 0..<12 {
                    try await runner.runDue()
                    site.app.clock.advance(by: .seconds(300))
                }
                let mail = try #require(try await site.feature.mails.mails(DeviceSite.environmentID).first)
                #expect(mail.state == .failed && mail.code == nil && mail.tries < 10)
            }
        }
    }

    @Test func `two runners claim each mail once`() async throws {
        try await DeviceSite.run { site in
            for index in 0..<8 { _ = try await site.create("ada\(index)@example.com") }
            let client = SMTPClient(try settings(1)), mails = site.feature.mails
            func take(_ runner: JobRunner) async throws -> [String] {
                let jobs = try await runner.claimDue().batches.filter { $0.handler.kind == MailJobs.kind }
                    .flatMap(\.jobs)
                return try await mails.waitingMails(of: jobs).values.map(\.recipient)
            }
            async let first = take(site.mailRunner(client))
            async let second = take(site.mailRunner(client))
            let taken = try await first + second
            #expect(Set(taken).count == 8 && taken.count == 8)
            #expect(try await take(site.mailRunner(client)).isEmpty)
            // Another node may claim the mails again after the node that claimed them stopped.
            site.app.clock.advance(by: .seconds(121))
            #expect(try await take(site.mailRunner(client)).count == 8)
        }
    }

    @Test func `settings that would send secrets in the clear, or cannot work, are refused by name`() throws {
        func read(_ values: [String: String]) throws -> SMTPSettings? {
            let pairs = values.map {
                (AbsoluteConfigKey([$0.key]), ConfigValue(.string($0.value), isSecret: false))
            }
            let provider = InMemoryProvider(values: Dictionary(pairs) { first, _ in first })
            return try InlayServerConfiguration(reader: ConfigReader(provider: provider)).mail
        }
        #expect(try read([:]) == nil)
        let good = try read(["smtpHost": "mail.example.com", "mailFrom": "a@b.example"])
        #expect(good?.port == 587 && good?.security == .startTLS)
        #expect(
            try read(["smtpHost": "m.example.com", "smtpSecurity": "tls", "mailFrom": "a@b.example"])?.port
                == 465)
        for wrong in [
            ["smtpHost": "m.example.com"], ["smtpHost": "m.example.com", "mailFrom": "a@b.example\r\nX: y"],
            ["smtpHost": "m.example.com", "smtpSecurity": "none", "mailFrom": "a@b.example"],
            ["smtpHost": "m.example.com", "smtpSecurity": "ssl", "mailFrom": "a@b.example"],
        ] {
            #expect(throws: ConfigurationError.self) { try read(wrong) }
        }
    }
}
