import Foundation
import InlayServerCore
import NIOCore
import NIOSSL

/// A client that sends each mail to a mail server (RFC 5321) on a connection of its own: with a few mails a minute,
/// nothing is gained by keeping a connection open.
struct SMTPClient: Sendable {
    /// The maximum time until one of the server's addresses has accepted the connection.
    private static let connectLimit: TimeAmount = .seconds(15)

    let settings: SMTPSettings
    /// The roots that certificates are checked against; the system's own unless a test sets others.
    let roots: NIOSSLTrustRoots
    /// The maximum time for a mail, from the lookup of the server's name to its last reply; then the connection closes.
    let limit: TimeAmount
    private let lookups: HostLookups<String>

    /// Creates a client for the mail server in the settings, which may be in the operator's private network.
    init(
        _ settings: SMTPSettings, roots: NIOSSLTrustRoots = .default, limit: TimeAmount = .seconds(60),
        addressGuard: AddressGuard = AddressGuard(.globalAndPrivate)
    ) {
        self.settings = settings
        self.roots = roots
        self.limit = limit
        lookups = HostLookups(limit: .seconds(10), resolve: addressGuard.addresses)
    }

    /// Sends a mail and returns once the server has accepted it; throws ``SMTPFault``.
    func send(_ message: MIMEMessage) async throws {
        do {
            try await deliver(message)
        } catch let fault as SMTPFault {
            throw fault
        } catch {
            throw SMTPFault(
                text: "The mail server \(settings.host) could not be reached: \(error)", isFinal: false)
        }
    }

    private func deliver(_ message: MIMEMessage) async throws {
        let end = NIODeadline.now() + limit
        let channel = try await connect(until: end)
        let deadline = channel.channel.eventLoop.scheduleTask(deadline: end) {
            channel.channel.close(promise: nil)
        }
        defer { deadline.cancel() }
        try await channel.executeThenClose { inbound, outbound in
            var conversation = SMTPConversation(inbound, outbound)
            try await conversation.greet(Self.ownName(settings.sender))
            if settings.security == .startTLS {
                try await conversation.startTLS()
                try await encrypt(channel.channel)
                try await conversation.hello(Self.ownName(settings.sender))
            }
            if let user = settings.user {
                try await conversation.signIn(user, settings.password?.value ?? "")
            }
            try await conversation.deliver(message)
        }
    }

    private func connect(until end: NIODeadline) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let tls = settings.security == .tls ? try tlsContext() : nil
        let found = try await lookups.addresses(of: settings.host, for: "mail")
        let addresses = CheckedAddresses(found, of: settings.host, port: settings.port)
        let limit = min(end, NIODeadline.now() + Self.connectLimit)
        return try await addresses.connect(until: limit) { channel in
            if let tls { try channel.pipeline.syncOperations.addHandler(try self.tlsHandler(tls)) }
            return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        }
    }

    private func encrypt(_ channel: any Channel) async throws {
        let context = try tlsContext()
        try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(
                try self.tlsHandler(context), position: .first)
        }.get()
    }

    private func tlsContext() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.trustRoots = roots
        return try NIOSSLContext(configuration: configuration)
    }

    private func tlsHandler(_ context: NIOSSLContext) throws -> NIOSSLClientHandler {
        // An IP address cannot be sent as a server name (SNI); the certificate is checked against it all the same.
        let isAddress = (try? SocketAddress(ipAddress: settings.host, port: 0)) != nil
        return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : settings.host)
    }

    private static func ownName(_ sender: String) -> String {
        sender.split(separator: "@").last.map(String.init) ?? "localhost"
    }
}

/// The reason why a mail was not sent.
struct SMTPFault: Error, Hashable {
    /// The server's reply or a text of ours; never the mail's content.
    let text: String
    /// Whether another attempt is of no use.
    let isFinal: Bool

    /// Returns the text without an address, and without the part of the address before the `@`.
    func text(hiding recipient: String) -> String {
        // One or two letters occur in most words, so they are not hidden.
        let name = recipient.prefix { $0 != "@" }
        return ([recipient] + (name.count > 2 ? [String(name)] : [])).reduce(text) {
            $0.replacingOccurrences(of: $1, with: "…", options: .caseInsensitive)
        }
    }
}
