import Foundation
import InlayServerCore
import NIOCore
import NIOSSL

/// Hands one mail after another to a mail server (RFC 5321), each on a connection of its own: a server that
/// sends a few mails a minute gains nothing from keeping one open.
struct SMTPClient: Sendable {
    /// The longest time until one of the server's addresses has taken the connection.
    private static let connectLimit: TimeAmount = .seconds(15)

    let settings: SMTPSettings
    /// The roots that certificates are checked against; the system's own unless a test sets others.
    let roots: NIOSSLTrustRoots
    /// A mail may take so long, from the lookup of the server's name to its last word; then the connection is closed.
    let limit: TimeAmount
    private let lookups: HostLookups<String>

    /// A client for a mail server that the operators' own settings name: it is often in their own network.
    init(
        _ settings: SMTPSettings, roots: NIOSSLTrustRoots = .default, limit: TimeAmount = .seconds(60),
        addressGuard: AddressGuard = AddressGuard(.named)
    ) {
        self.settings = settings
        self.roots = roots
        self.limit = limit
        lookups = HostLookups(limit: .seconds(10), resolve: addressGuard.addresses)
    }

    /// Returns once the server has taken the mail; throws ``SMTPFault``.
    func send(_ message: MIMEMessage) async throws {
        do {
            try await deliver(message)
        } catch let fault as SMTPFault {
            throw fault
        } catch {
            throw SMTPFault(
                words: "The mail server \(settings.host) could not be reached: \(error)", isFinal: false)
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
            var talk = SMTPConversation(inbound, outbound)
            try await talk.greet(Self.ownName(settings.sender))
            if settings.security == .startTLS {
                try await talk.startTLS()
                try await encrypt(channel.channel)
                try await talk.hello(Self.ownName(settings.sender))
            }
            if let user = settings.user { try await talk.signIn(user, settings.password?.value ?? "") }
            try await talk.deliver(message)
        }
    }

    private func connect(until end: NIODeadline) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let tls = settings.security == .tls ? try handler() : nil
        let found = try await lookups.addresses(of: settings.host, for: "mail")
        let addresses = CheckedAddresses(found, of: settings.host, port: settings.port)
        let limit = min(end, NIODeadline.now() + Self.connectLimit)
        return try await addresses.connect(until: limit) { channel in
            if let tls { try channel.pipeline.syncOperations.addHandler(try self.wrap(tls)) }
            return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        }
    }

    private func encrypt(_ channel: any Channel) async throws {
        let context = try handler()
        try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(try self.wrap(context), position: .first)
        }.get()
    }

    private func handler() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.trustRoots = roots
        return try NIOSSLContext(configuration: configuration)
    }

    private func wrap(_ context: NIOSSLContext) throws -> NIOSSLClientHandler {
        // An address is no name that could be sent; its certificate is checked against it all the same.
        let isAddress = (try? SocketAddress(ipAddress: settings.host, port: 0)) != nil
        return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : settings.host)
    }

    private static func ownName(_ sender: String) -> String {
        sender.split(separator: "@").last.map(String.init) ?? "localhost"
    }
}

/// The reason why a mail did not go.
struct SMTPFault: Error, Hashable {
    /// The server's own words or ours; never the mail's.
    let words: String
    /// Whether another try is of no use.
    let isFinal: Bool

    /// The words without an address, and without the part of it that names a person.
    func words(hiding recipient: String) -> String {
        // A name of one or two letters is in every other word.
        let name = recipient.prefix { $0 != "@" }
        return ([recipient] + (name.count > 2 ? [String(name)] : [])).reduce(words) {
            $0.replacingOccurrences(of: $1, with: "…", options: .caseInsensitive)
        }
    }
}
