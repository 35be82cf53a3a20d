import Foundation
import InlayServerCore
import NIOCore

/// The dialogue on one connection to a mail server, line by line.
///
/// Replies are checked by their class, the first digit (RFC 5321, section 4.2.1): a server may reply to RCPT with 250,
/// 251 (forwards) or 252 (will try), and each means that it accepts the mail.
struct SMTPConversation {
    /// A reply: its code, and the texts of its lines.
    struct Reply {
        let code: Int
        let lines: [String]
    }

    /// The classes of replies with which a command has succeeded so far.
    enum ReplyClass: Int {
        /// 2yz: the command is done.
        case completion = 2
        /// 3yz: the server waits for the rest of the command: the mail after DATA, the name and password after AUTH.
        case intermediate = 3
    }

    private static let maximumReplyBytes = 64 << 10
    private static let maximumReplyLines = 100
    /// The maximum length of a reply in an error, in Unicode scalars.
    private static let maximumErrorLength = 200
    /// The minimum number of consecutive bytes of a secret that are left out of errors.
    private static let hiddenLength = 4
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var unread = ByteBuffer()
    /// The extensions that the server announced.
    private var extensions: [String] = []

    init(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    mutating func greet(_ name: String) async throws {
        try expect(.completion, try await reply(), to: "Connection")
        try await hello(name)
    }

    mutating func hello(_ name: String) async throws {
        let reply = try await send("EHLO \(name)")
        try expect(.completion, reply, to: "EHLO")
        extensions = reply.lines.map { $0.uppercased() }
    }

    /// Returns when the server is ready for the handshake.
    mutating func startTLS() async throws {
        guard extensions.contains("STARTTLS") else {
            throw SMTPFault(text: "The mail server does not offer STARTTLS.", isFinal: false)
        }
        try expect(.completion, try await send("STARTTLS"), to: "STARTTLS")
        // Unencrypted bytes from before the handshake would be read as the server's reply after it.
        guard unread.readableBytes == 0 else {
            throw SMTPFault(text: "The mail server spoke before the handshake.", isFinal: false)
        }
    }

    mutating func signIn(_ user: String, _ password: String) async throws {
        func coded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
        let mechanisms = extensions.first { $0.hasPrefix("AUTH ") } ?? ""
        let secrets: [String], lines: [String]
        if mechanisms.contains("PLAIN") {
            secrets = [coded("\u{0}\(user)\u{0}\(password)")]
            lines = ["AUTH PLAIN \(secrets[0])"]
        } else if mechanisms.contains("LOGIN") {
            secrets = [coded(user), coded(password)]
            lines = ["AUTH LOGIN"] + secrets
        } else {
            throw SMTPFault(text: "The mail server offers no way to sign in.", isFinal: false)
        }
        for (index, line) in lines.enumerated() {
            let expected = index + 1 < lines.count ? ReplyClass.intermediate : .completion
            try expect(expected, try await send(line), to: "AUTH", isFinal: false, hiding: secrets)
        }
    }

    mutating func deliver(_ message: MIMEMessage) async throws {
        try expect(
            .completion, try await send("MAIL FROM:<\(message.sender)>"), to: "MAIL FROM", isFinal: false)
        try expect(.completion, try await send("RCPT TO:<\(message.recipient)>"), to: "RCPT TO")
        try expect(.intermediate, try await send("DATA"), to: "DATA")
        let lines = message.text.components(separatedBy: "\r\n")
        let body = lines.map { $0.hasPrefix(".") ? "." + $0 : $0 }.joined(separator: "\r\n")
        let end = body.hasSuffix("\r\n") ? "." : "\r\n."
        try expect(.completion, try await send(body + end), to: "End of DATA")
        // The server has accepted the mail, whatever it replies to QUIT.
        _ = try? await send("QUIT")
    }

    private mutating func send(_ line: String) async throws -> Reply {
        try await outbound.write(ByteBuffer(string: line + "\r\n"))
        return try await reply()
    }

    /// Reads a reply of one or more lines; each but the last has a hyphen after its code (RFC 5321, section 4.2.1).
    private mutating func reply() async throws -> Reply {
        var lines: [String] = []
        while true {
            let line = try await line(), mark = line.dropFirst(3).first
            guard line.utf8.count >= 3, let code = Int(line.prefix(3)), (200...599).contains(code),
                mark == nil || mark == " " || mark == "-"
            else {
                throw SMTPFault(text: "The mail server spoke something else than SMTP.", isFinal: false)
            }
            lines.append(String(line.dropFirst(4)))
            if mark != "-" { return Reply(code: code, lines: lines) }
            guard lines.count < Self.maximumReplyLines else {
                throw SMTPFault(text: "The mail server did not end its reply.", isFinal: false)
            }
        }
    }

    private mutating func line() async throws -> String {
        while true {
            if let end = unread.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
                let length = end - unread.readerIndex
                let line = unread.readString(length: length) ?? ""
                unread.moveReaderIndex(forwardBy: 1)
                return line.hasSuffix("\r") ? String(line.dropLast()) : line
            }
            guard unread.readableBytes < Self.maximumReplyBytes, let more = try await inbound.next() else {
                throw SMTPFault(text: "The mail server ended the connection.", isFinal: false)
            }
            unread.writeImmutableBuffer(more)
        }
    }

    /// Throws for a reply of another class. A permanent failure (5yz) ends the mail, unless it is about our own
    /// account. The secrets of a command are left out of the error, because servers repeat input that they do not
    /// understand, cut or wrapped.
    private func expect(
        _ expected: ReplyClass, _ reply: Reply, to command: String, isFinal: Bool = true,
        hiding secrets: [String] = []
    ) throws {
        guard reply.code / 100 != expected.rawValue else { return }
        let words = Self.text(reply.lines.joined(separator: " "), hiding: secrets)
            .prefix(scalars: Self.maximumErrorLength)
        // PostgreSQL stores no NUL, and a terminal interprets other control characters.
        let plain = words.split { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
        throw SMTPFault(
            text: "\(command): \(reply.code) \(plain.joined(separator: " "))",
            isFinal: isFinal && reply.code / 100 == 5)
    }

    /// Returns the text with an ellipsis in place of each piece of a secret, which is base64.
    private static func text(_ text: String, hiding secrets: [String]) -> String {
        var pieces: Set<ArraySlice<UInt8>> = []
        for secret in secrets {
            let bytes = Array(secret.utf8)
            for start in bytes.indices.dropLast(hiddenLength - 1) {
                pieces.insert(bytes[start..<(start + hiddenLength)])
            }
        }
        guard !pieces.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var shown: [UInt8] = [], end = 0
        for index in bytes.indices {
            if pieces.contains(bytes[index...].prefix(hiddenLength)) {
                if index >= end { shown += "…".utf8 }
                end = index + hiddenLength
            }
            if index >= end { shown.append(bytes[index]) }
        }
        return String(decoding: shown, as: UTF8.self)
    }
}
