import Foundation
import InlayServer
import InlayWire
import Logging

/// Harbor's server, filled and ready to run.
struct DemoHarbor: Sendable {
    let server: InlayServer
    /// The app's public key at the server.
    let apiKey: String
    /// Signs the passengers' tokens, as Harbor's own backend would.
    let signer: DevelopmentSigner
    /// The Workbench's password for `admin`.
    let password: String
    /// Where the server listens.
    let address: URL

    /// Makes the company and its last week, then a server with the real clock over the same database.
    static func open(in folder: URL, port: Int, logger: Logger) async throws -> DemoHarbor {
        let port = LoopbackPort.pick(port)
        guard let address = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        var configuration = InlayServerConfiguration()
        configuration.port = port
        configuration.database = "sqlite:\(folder.path)/harbor.sqlite"
        try await makeThePast(configuration, address: address.absoluteString, logger: logger)
        let pictures = try HarborPictures()
        let server = try await InlayServer.make(configuration, logger: logger) { _ in [pictures] }
        try await HarborHub(server: server).publish()
        let signer = DevelopmentSigner()
        let key = try await server.services.environments.addApiKey(
            HarborCompany.environmentID, name: "Harbor app",
            rules: TokenRules(publicKey: signer.publicKeyPEM))
        guard let password = try await server.services.operators.createFirst() else {
            throw CocoaError(.fileWriteFileExists)
        }
        return DemoHarbor(
            server: server, apiKey: key.id, signer: signer, password: password, address: address)
    }

    /// The week before now, through the services that serve the present, under a clock that is moved.
    private static func makeThePast(
        _ configuration: InlayServerConfiguration, address: String, logger: Logger
    ) async throws {
        let clock = HistoryClock(daysAgo: 7)
        let past = try await InlayServer.make(configuration, logger: logger, now: clock.now)
        defer { past.services.database.close() }
        try await HarborCompany(server: past, address: address).found()
        var history = HarborHistory(server: past, clock: clock)
        try await history.replay()
    }
}
