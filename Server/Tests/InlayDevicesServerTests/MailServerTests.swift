import Foundation
import NIOCore
import NIOSSL
import Testing

@testable import InlayDevicesServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// The mail server: the choice among its addresses, and which of its replies are a success.
@Suite(.timeLimit(.minutes(5))) struct MailServerTests {
    private static let message = MIMEMessage(
        .welcome("Harbor", code: "ABCDEFGH"), id: "1-a", to: "ada@example.com",
        from: "no-reply@harbor.example", name: "Harbor")

    /// Sends a mail to a server whose name resolves to these addresses.
    private static func send(
        to addresses: [String], _ port: Int, _ security: SMTPSettings.Security = .none, user: String? = nil,
        roots: NIOSSLTrustRoots = .default, within limit: TimeAmount = .minutes(2)
    ) async throws {
        let settings = try SMTPSettings(
            host: "localhost", port: port, security: security, user: user,
            password: user.map { _ in "secret" }, sender: "no-reply@harbor.example")
        let known = try AddressGuard(.globalAndPrivate, addresses: addresses)
        try await SMTPClient(settings, roots: roots, limit: limit, addressGuard: known).send(message)
    }

    /// Returns the error of a mail that is not sent; `nil` when it was sent.
    private static func fault(_ send: () async throws -> Void) async -> SMTPFault? {
        do {
            try await send()
            return nil
        } catch {
            return error as? SMTPFault
        }
    }

    @Test(arguments: [
        ["::1", "127.0.0.1"], ["127.0.0.2", "127.0.0.1"], ["127.0.0.1", "::1"], ["127.0.0.1"],
    ])
    func `a mail arrives at the one address of the mail server that answers`(_ addresses: [String])
        async throws
    {
        let certificate = try await TestCertificate(), roots = certificate.roots
        var script = LoopbackMailServer.Script()
        script.offersTLS = true
        let server = LoopbackMailServer(script)
        try await server.run(tls: certificate.context) { port in
            try await Self.send(to: addresses, port)
            // The certificate is verified for the name, whichever address answers.
            try await Self.send(to: addresses, port, .startTLS, roots: roots)
        }
        #expect(server.deliveries.map(\.wasEncrypted) == [false, true])
    }

    @Test func `a mail arrives although the first address of the mail server hangs`() async throws {
        let server = LoopbackMailServer()
        try await server.run { port in
            try await StalledListener.run(on: "127.0.0.2", port: port) { port in
                try await Self.send(to: ["127.0.0.2", "127.0.0.1"], port)
            }
        }
        #expect(server.deliveries.count == 1)
    }

    @Test func `the failure of an unreachable mail server has the last reason, and the mail waits`()
        async throws
    {
        let addresses = (0..<1_000).map { "127.1.\($0 / 250).\($0 % 250 + 1)" }
        let refused = await Self.fault { try await Self.send(to: addresses, 1) }
        #expect(
            refused?.text
                == "The mail server localhost could not be reached: no connection to 8 of its 1000 "
                + "addresses, the last of them 127.1.0.8: Connection refused")
        #expect(refused?.isFinal == false)
        try await StalledListener.run(on: "127.0.0.2") { port in
            let late = await Self.fault {
                try await Self.send(
                    to: Array(repeating: "127.0.0.2", count: 1_000), port, within: .milliseconds(300))
            }
            #expect(
                late?.text
                    == "The mail server localhost could not be reached: no connection to 8 of its 1000 "
                    + "addresses in time")
            #expect(late?.isFinal == false)
        }
    }

    @Test func `a mail server with a forbidden address is called at none of its addresses`() async throws {
        let server = LoopbackMailServer()
        try await server.run { port in
            let fault = await Self.fault { try await Self.send(to: ["127.0.0.1", "169.254.169.254"], port) }
            #expect(fault?.text.hasSuffix("the host leads into a private network") == true)
        }
        #expect(server.lines.isEmpty && server.deliveries.isEmpty)
    }

    @Test(arguments: [
        ("RCPT", "251 2.1.5 User not local; will forward to <ada@mail.example>"),
        ("RCPT", "252 2.1.5 Cannot verify the user, but will take the mail"),
        ("RCPT", "250-2.1.5 Ada\r\n250-is\r\n251 elsewhere"), ("RCPT", "250"), ("RCPT", "250-\r\n250"),
        ("HI", "220-loopback\r\n220 ESMTP"), ("EHLO", "250-8BITMIME\r\n251 SIZE 1000"),
        ("AUTH", "250 in"), ("MAIL", "251 ok"), ("DATA", "350 go on"), ("END", "251 forwarded"),
        ("END", "250-kept\r\n250 2.0.0 as 1A2B"),
    ])
    func `a reply of the class that a command expects is a success`(_ verb: String, _ reply: String)
        async throws
    {
        var script = LoopbackMailServer.Script()
        (script.wantsPassword, script.replies) = (true, [verb: [reply]])
        let server = LoopbackMailServer(script)
        try await server.run { try await Self.send(to: ["127.0.0.1"], $0, user: "inlay") }
        #expect(server.deliveries.count == 1)
    }

    @Test func `a reply of another class is a failure that names the command`() async throws {
        let cases: [(String, String, String, Bool)] = [
            ("HI", "554 no service", "Connection: 554 no service", true),
            ("HI", "354 go on", "Connection: 354 go on", false),
            ("EHLO", "421 closing", "EHLO: 421 AUTH PLAIN closing", false),
            ("AUTH", "334 more", "AUTH: 334 more", false),
            ("AUTH", "500 what is AGlubGF5AHNlY3JldA==?", "AUTH: 500 what is …?", false),
            ("AUTH", "500 what is AUTH PLAIN AGlubGF5AHNl", "AUTH: 500 what is AUTH PLAIN …", false),
            ("AUTH", "500-'AUTH PLAIN AGlubG\r\n500 F5AHNlY3JldA=='", "AUTH: 500 'AUTH PLAIN … …'", false),
            ("MAIL", "452-full\r\n452 later", "MAIL FROM: 452 full later", false),
            ("RCPT", "551 try <a@b.example>", "RCPT TO: 551 try <a@b.example>", true),
            ("RCPT", "450 greylisted", "RCPT TO: 450 greylisted", false),
            ("RCPT", "354 go on", "RCPT TO: 354 go on", false),
            ("RCPT", "550 \u{1B}[2Jno\u{0}body", "RCPT TO: 550 [2Jno body", true),
            ("DATA", "250 ok", "DATA: 250 ok", false), ("DATA", "554 nobody", "DATA: 554 nobody", true),
            ("END", "354 more", "End of DATA: 354 more", false),
        ]
        let others = ["2500 ok", "２５０ ok", "+25 ok", "199 ok", "ok", ""].map { reply in
            ("RCPT", reply, "The mail server spoke something else than SMTP.", false)
        }
        for (verb, reply, words, isFinal) in cases + others {
            var script = LoopbackMailServer.Script()
            (script.wantsPassword, script.replies) = (true, [verb: [reply]])
            let server = LoopbackMailServer(script)
            try await server.run { port in
                let fault = await Self.fault { try await Self.send(to: ["127.0.0.1"], port, user: "inlay") }
                #expect(fault == SMTPFault(text: words, isFinal: isFinal), "\(verb) \(reply)")
            }
            #expect(server.deliveries.isEmpty, "\(verb) \(reply)")
        }
    }

    @Test func `a reply of any length is reported in few words, and one without an end is given up`()
        async throws
    {
        var script = LoopbackMailServer.Script()
        let long = Array(repeating: "550-" + String(repeating: "no ", count: 400), count: 90) + ["550 no"]
        script.replies = ["RCPT": [long.joined(separator: "\r\n")]]
        try await LoopbackMailServer(script).run { port in
            let fault = await Self.fault { try await Self.send(to: ["127.0.0.1"], port) }
            #expect(fault?.isFinal == true && (200...220).contains(fault?.text.count ?? 0))
        }
        script.replies = ["RCPT": ["550 e" + String(repeating: "\u{301}", count: 5_000)]]
        try await LoopbackMailServer(script).run { port in
            let fault = await Self.fault { try await Self.send(to: ["127.0.0.1"], port) }
            #expect((200...220).contains(fault?.text.unicodeScalars.count ?? 0))
        }
        script.replies = ["RCPT": [Array(repeating: "250-yes", count: 200).joined(separator: "\r\n")]]
        try await LoopbackMailServer(script).run { port in
            let fault = await Self.fault { try await Self.send(to: ["127.0.0.1"], port) }
            #expect(fault?.text == "The mail server did not end its reply." && fault?.isFinal == false)
        }
    }
}
