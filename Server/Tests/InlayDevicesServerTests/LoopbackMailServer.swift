import Foundation
import InlayTesting
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL

@testable import InlayServerTesting

/// A mail server on loopback that stores the delivered mails, and sends replies that a test chooses.
final class LoopbackMailServer: Sendable {
    /// A mail that a client delivered, with the security and the log-in of its connection.
    struct Delivery: Sendable {
        var sender = ""
        var recipient = ""
        var lines: [String] = []
        var wasEncrypted = false
        var signedInAs: String?
        /// The header and body, without SMTP's line ends and dot-stuffing.
        var text: String { lines.joined(separator: "\n") }
    }

    struct Script: Sendable {
        var offersTLS = false
        var wantsPassword = false
        /// The mechanism of the log-in: PLAIN or LOGIN.
        var mechanism = "PLAIN"
        /// Replies in place of the usual ones, by verb, in order; "HI" is the greeting, "END" follows the mail.
        var replies: [String: [String]] = [:]
        /// Text that is sent in the same packet as the reply to STARTTLS.
        var early = ""
        /// Whether the server closes every connection without a reply.
        var isDead = false
        /// Whether the server accepts connections and sends nothing.
        var isSilent = false
    }

    private let script: NIOLockedValueBox<Script>
    private let delivered = NIOLockedValueBox<[Delivery]>([])
    private let received = NIOLockedValueBox<[String]>([])

    init(_ script: Script = Script()) { self.script = NIOLockedValueBox(script) }

    var deliveries: [Delivery] { delivered.withLockedValue { $0 } }
    /// Every line that a client sent, without the mails.
    var lines: [String] { received.withLockedValue { $0 } }

    /// Listens on a free port while the body runs.
    func run<R: Sendable>(
        tls: NIOSSLContext? = nil, _ body: @escaping @Sendable (_ port: Int) async throws -> R
    ) async throws -> R {
        let listening = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let port = listening.channel.localAddress?.port ?? 0
        return try await withThrowingTaskGroup(of: R?.self) { group in
            group.addTask {
                try await listening.executeThenClose { clients in
                    try await withThrowingDiscardingTaskGroup { serving in
                        for try await client in clients {
                            serving.addTask { try? await self.serve(client, tls) }
                        }
                    }
                }
                return nil
            }
            group.addTask { try await body(port) }
            defer { group.cancelAll() }
            while let result = try await group.next() { if let result { return result } }
            throw TestFailure("The mail server stopped.")
        }
    }

    private func serve(_ client: NIOAsyncChannel<ByteBuffer, ByteBuffer>, _ tls: NIOSSLContext?) async throws
    {
        try await client.executeThenClose { inbound, outbound in
            guard !self.script.withLockedValue(\.isDead) else { return }
            if self.script.withLockedValue(\.isSilent) {
                for try await _ in inbound {}
                return
            }
            func say(_ line: String) async throws {
                try await outbound.write(ByteBuffer(string: line + "\r\n"))
            }
            try await say(self.answer("HI", "220 loopback ESMTP"))
            var delivery = Delivery(), buffer = "", isData = false
            // The user and the password of AUTH LOGIN, each on a line of its own; `nil` when no log-in is under way.
            var signingIn: [String]?
            for try await bytes in inbound {
                buffer += String(buffer: bytes)
                while let end = buffer.range(of: "\r\n") {
                    let line = String(buffer[..<end.lowerBound])
                    buffer = String(buffer[end.upperBound...])
                    if isData {
                        if line == "." {
                            isData = false
                            let answer = self.answer("END", "250 kept")
                            if answer.hasPrefix("2") {
                                self.delivered.withLockedValue { $0.append(delivery) }
                            }
                            try await say(answer)
                        } else {
                            delivery.lines.append(line.hasPrefix(".") ? String(line.dropFirst()) : line)
                        }
                        continue
                    }
                    self.received.withLockedValue { $0.append(line) }
                    if let begun = signingIn {
                        let word = Data(base64Encoded: line).map { String(decoding: $0, as: UTF8.self) }
                        let words = begun + [word ?? ""]
                        signingIn = words.count < 2 ? words : nil
                        if signingIn == nil { delivery.signedInAs = words.joined(separator: "|") }
                        try await say(signingIn == nil ? "235 in" : "334 UGFzc3dvcmQ6")
                        continue
                    }
                    let verb = line.prefix { $0 != " " && $0 != ":" }.uppercased()
                    switch verb {
                    case "EHLO":
                        let offers = self.script.withLockedValue { $0 }
                        if offers.offersTLS, !delivery.wasEncrypted { try await say("250-STARTTLS") }
                        if offers.wantsPassword { try await say("250-AUTH \(offers.mechanism)") }
                        try await say(self.answer("EHLO", "250 8BITMIME"))
                    case "STARTTLS":
                        let answer = "220 go on" + self.script.withLockedValue(\.early)
                        guard let tls else { return try await say(answer) }
                        // In one task of the event loop, or the client's handshake arrives before the handler is added.
                        try await client.channel.eventLoop.submit {
                            client.channel.writeAndFlush(ByteBuffer(string: answer + "\r\n"), promise: nil)
                            try client.channel.pipeline.syncOperations.addHandler(
                                NIOSSLServerHandler(context: tls), position: .first)
                        }.get()
                        delivery.wasEncrypted = true
                    case "AUTH" where line == "AUTH LOGIN":
                        signingIn = []
                        try await say("334 VXNlcm5hbWU6")
                    case "AUTH":
                        let secret = line.split(separator: " ").last.map(String.init) ?? ""
                        delivery.signedInAs = Data(base64Encoded: secret).map {
                            String(decoding: $0, as: UTF8.self).replacing("\u{0}", with: "|")
                        }
                        try await say(self.answer("AUTH", "235 in"))
                    case "MAIL":
                        delivery.sender = line
                        try await say(self.answer("MAIL", "250 ok"))
                    case "RCPT":
                        delivery.recipient = line
                        try await say(self.answer("RCPT", "250 ok"))
                    case "DATA":
                        let answer = self.answer("DATA", "354 go on")
                        isData = answer.hasPrefix("3")
                        try await say(answer)
                    case "QUIT":
                        try await say("221 bye")
                        return
                    default: try await say("500 what")
                    }
                }
            }
        }
    }

    private func answer(_ verb: String, _ usual: String) -> String {
        script.withLockedValue { script in
            guard var replies = script.replies[verb], !replies.isEmpty else { return usual }
            let first = replies.removeFirst()
            script.replies[verb] = replies
            return first
        }
    }
}

/// A certificate for 127.0.0.1 and localhost, made with openssl for one test.
struct TestCertificate {
    let context: NIOSSLContext
    let roots: NIOSSLTrustRoots

    init() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = folder.appendingPathComponent("key.pem").path
        let certificate = folder.appendingPathComponent("cert.pem").path
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key,
            "-out", certificate,
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        defer { if openssl.isRunning { kill(openssl.processIdentifier, SIGKILL) } }
        try await eventually { !openssl.isRunning }
        guard openssl.terminationStatus == 0 else {
            throw TestFailure("openssl ended with status \(openssl.terminationStatus).")
        }
        let chain = try NIOSSLCertificate.fromPEMFile(certificate)
        context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(NIOSSLPrivateKey(file: key, format: .pem))))
        roots = .certificates(chain)
    }
}
