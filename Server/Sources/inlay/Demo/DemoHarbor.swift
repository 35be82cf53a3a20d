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
    /// Bids for the banner.
    let bidder: SimulatedBidder
    /// The reserved ports of the server and the bidder.
    let ports: [LoopbackPort]
    /// The reserved port of the app.
    let appPort: LoopbackPort
    /// Names Harbor's app where accounts and devices are concerned.
    let application: (id: String, secret: String)
    /// Whether there is a film to watch.
    let hasFilm: Bool

    /// Makes the company and its last week, then a server with the real clock over the same database.
    static func open(in folder: URL, port: Int, appPort: Int, logger: Logger) async throws -> DemoHarbor {
        // All at once: who chooses a port while another demo lets its own go could take that one.
        let ports = try (
            own: LoopbackPort.reserve(port), app: LoopbackPort.reserve(appPort),
            bidder: LoopbackPort.reserve(9_091)
        )
        guard let address = URL(string: "http://127.0.0.1:\(ports.own.number)") else {
            throw URLError(.badURL)
        }
        var configuration = InlayServerConfiguration()
        configuration.port = ports.own.number
        configuration.database = "sqlite:\(folder.path)/harbor.sqlite"
        // The buyer of the demo is on this machine.
        configuration.adsPrivateAddresses = true
        try await makeThePast(configuration, address: address.absoluteString, logger: logger)
        let film = try HarborFilm.make(in: folder)
        let pictures = try HarborPictures(film: film)
        let server = try await InlayServer.make(configuration, logger: logger) { _ in [pictures] }
        try await HarborHub(server: server).publish()
        let bidder = try await sellAds(
            server, address: address, bidderPort: ports.bidder.number, hasFilm: film != nil, logger: logger)
        let signer = DevelopmentSigner()
        let key = try await server.services.environments.addApiKey(
            HarborCompany.environmentID, name: "Harbor app",
            rules: TokenRules(publicKey: signer.publicKeyPEM))
        guard
            let password = try await server.services.operators.createFirst(password: {
                SecretString(Secret.random(bytes: 12))
            })
        else {
            throw CocoaError(.fileWriteFileExists)
        }
        return DemoHarbor(
            server: server, apiKey: key.id, signer: signer, password: password, address: address,
            bidder: bidder, ports: [ports.own, ports.bidder], appPort: ports.app,
            application: try await nameApplication(server),
            hasFilm: film != nil)
    }

    /// Makes the places for ads, and the buyer that bids for one of them.
    private static func sellAds(
        _ server: InlayServer, address: URL, bidderPort: Int, hasFilm: Bool, logger: Logger
    ) async throws -> SimulatedBidder {
        var configuration = SimulatedBidder.Configuration()
        configuration.port = bidderPort
        configuration.domain = "cafe.example"
        configuration.banner = HarborAds.cafe(address.absoluteString)
        guard let bid = URL(string: "http://127.0.0.1:\(configuration.port)/bid") else {
            throw URLError(.badURL)
        }
        try await HarborAds(
            records: server.features.ads.records, address: address.absoluteString, bidder: bid,
            hasFilm: hasFilm
        ).found()
        return SimulatedBidder(configuration, logger: logger)
    }

    /// Lets Harbor's app open accounts and set up ticket readers, also before an address is proven: the
    /// demo's mails are only in the Workbench.
    private static func nameApplication(_ server: InlayServer) async throws -> (id: String, secret: String) {
        let applications = server.features.devices.applications
        var (application, secret) = try await applications.create(
            HarborCompany.environmentID, name: "Harbor", opensAtOnce: true)
        application.pairsUnproven = true
        try await applications.save(application)
        return (application.id, secret)
    }

    /// The week before now, through the services that serve the present, under a clock that is moved.
    private static func makeThePast(
        _ configuration: InlayServerConfiguration, address: String, logger: Logger
    ) async throws {
        let clock = HistoryClock(daysAgo: 7)
        let past = try await InlayServer.make(configuration, logger: logger, now: clock.now)
        defer { past.close() }
        try await HarborCompany(server: past, address: address).found()
        var history = HarborHistory(server: past, clock: clock)
        try await history.replay()
    }
}
