import ArgumentParser
import Foundation
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging

/// The real server in a child process, without rate limits and with the data for a measurement.
///
/// It is part of this program because the data are created by the server's stores. The server is the same as that of
/// `inlay serve`.
struct BenchServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "server", shouldDisplay: false)

    @Option var database: String
    @Option var seedOptions = SeedOptions()

    func run() async throws {
        FileDescriptors.raise()
        var configuration = InlayServerConfiguration()
        configuration.port = 0
        configuration.database = SecretString(database)
        configuration.connectionsPerAddress = 0
        configuration.rates = .off
        configuration.adsPrivateAddresses = true
        configuration.logLevel = .error
        var logger = Logger(label: "bench") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        let server = try await InlayServer.make(configuration, logger: logger)
        let seed = BenchSeed(services: server.services)
        var access = try await seed.prepare()
        if !seedOptions.bidders.isEmpty {
            access.adRequest = try await BenchAds(server: server).prepare(seedOptions.bidders)
        }
        try await server.runUntilSignal(logger: logger) { port in
            access.port = port
            try await seed.fill(seedOptions, through: access)
            Announcement.write("READY " + String(decoding: try JSONEncoder().encode(access), as: UTF8.self))
        }
    }
}

/// The address and credentials of the benchmark's server.
struct ServerAccess: Codable, Sendable {
    var port = 0
    var apiKey: String
    var secretKey: String
    /// The private key that signs users' tokens, in PEM.
    var privateKey: String
    /// The access token of an OAuth client, for events.
    var accessToken: String
    /// The cookie of an operator who has signed in.
    var operatorCookie: String
    /// The body of a request for an ad, when there are bidders.
    var adRequest: String?

    static let environment = EnvironmentID(verified: "bench")
    static let container = "home"

    static func user(_ number: Int) -> UserID { UserID("user-\(number)") }
    static func segment(_ number: Int) -> String { "segment-\(number)" }

    var baseURL: String { "http://127.0.0.1:\(port)" }

    /// Returns the headers that the SDK sends for a user.
    func headers(user: UserID, signer: DevelopmentSigner) throws -> [(String, String)] {
        [
            (InlayHeader.environment, Self.environment.rawValue), (InlayHeader.apiKey, apiKey),
            (InlayHeader.sdk, "inlay-bench/1"),
            ("Authorization", "Bearer \(try signer.token(user: user.rawValue, life: .seconds(86_400)))"),
        ]
    }

    func signer() throws -> DevelopmentSigner { try DevelopmentSigner(pem: privateKey) }
}
