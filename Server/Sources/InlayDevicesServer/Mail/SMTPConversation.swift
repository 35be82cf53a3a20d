import Foundation
import NIOCore

/// The dialogue on one connection to a mail server, line by line.
struct SMTPConversation {
    /// A reply: its code, and the texts of its lines.
    struct Reply {
        let code: Int
        let lines: [String]
        var words: String { "\(code) \(lines.joined(separator: " "))" }
    }

    private static let maximumReplyBytes = 64 << 10
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var unread = ByteBuffer()
    /// The extensions that the server announced.
    private var abilities: [String] = []

    init(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    mutating func greet(_ name: String) async throws {
        try expect(try await reply(), 220)
        try await hello(name)
    }

    mutating func hello(_ name: String) async throws {
        let reply = try await say("EHLO \(name)")
        try expect(reply, 250)
        abilities = reply.lines.map { $0.uppercased() }
    }

    /// Returns when the server is ready for the handshake.
    mutating func startTLS() async throws {
        guard abilities.contains("STARTTLS") else {
            throw SMTPFault(words: "The mail server does not offer STARTTLS.", isFinal: false)
        }
        try expect(try await say("STARTTLS"), 220)
        // Words from before the handshake would be taken for the server's own after it.
        guard unread.readableBytes == 0 else {
            throw SMTPFault(words: "The mail server spoke before the handshake.", isFinal: false)
        }
    }

    mutating func signIn(_ user: String, _ password: String) async throws {
        let ways = abilities.first { $0.hasPrefix("AUTH ") } ?? ""
        if ways.contains("PLAIN") {
            let secret = Data("\u{0}\(user)\u{0}\(password)".utf8).base64EncodedString()
            try expect(try await say("AUTH PLAIN \(secret)"), 235, isFinal: false)
        } else if ways.contains("LOGIN") {
            try expect(try await say("AUTH LOGIN"), 334, isFinal: false)
            try expect(try await say(Data(user.utf8).base64EncodedString()), 334, isFinal: false)
            try expect(try await say(Data(password.utf8).base64EncodedString()), 235, isFinal: false)
        } else {
            throw SMTPFault(words: "The mail server offers no way to sign in.", isFinal: false)
        }
    }

    mutating func deliver(_ message: MIMEMessage) async throws {
        try expect(try await say("MAIL FROM:<\(message.sender)>"), 250, isFinal: false)
        try expect(try await say("RCPT TO:<\(message.recipient)>"), 250)
        try expect(try await say("DATA"), 354)
        let lines = message.text.components(separatedBy: "\r\n")
        let body = lines.map { $0.hasPrefix(".") ? "." + $0 : $0 }.joined(separator: "\r\n")
        try expect(try await say(body + (body.hasSuffix("\r\n") ? "." : "\r\n.")), 250)
        // The mail is theirs now, whatever comes of the good-bye.
        _ = try? await say("QUIT")
    }

    private mutating func say(_ line: String) async throws -> Reply {
        try await outbound.write(ByteBuffer(string: line + "\r\n"))
        return try await reply()
    }

    private mutating func reply() async throws -> Reply {
        var lines: [String] = []
        while true {
            let line = try await line()
            guard line.utf8.count >= 3, let code = Int(line.prefix(3)), (200...599).contains(code) else {
                throw SMTPFault(words: "The mail server spoke something else than SMTP.", isFinal: false)
            }
            lines.append(String(line.dropFirst(4)))
            if line.dropFirst(3).first != "-" { return Reply(code: code, lines: lines) }
            guard lines.count < 100 else {
                throw SMTPFault(words: "The mail server did not end its reply.", isFinal: false)
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
                throw SMTPFault(words: "The mail server ended the connection.", isFinal: false)
            }
            unread.writeImmutableBuffer(more)
        }
    }

    /// Refuses another code. A server's lasting no (5xx) ends the mail unless it is about our own account.
    private func expect(_ reply: Reply, _ code: Int, isFinal: Bool = true) throws {
        guard reply.code != code else { return }
        throw SMTPFault(
            words: String(reply.words.prefix(200)), isFinal: isFinal && (500...599).contains(reply.code))
    }
}
