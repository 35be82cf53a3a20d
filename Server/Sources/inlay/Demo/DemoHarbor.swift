import Foundation
import InlayBehaviorsServer
import InlayCardsServer
import InlayDevicesServer
import InlayHubServer
import InlayServer
import InlayServerCore
import InlaySimulatedBidder
@_spi(Inlay) import InlayWire
import InlayWorkbench
import Logging

/// Harbor's server, filled and ready to run.
struct DemoHarbor: Sendable {
    let server: InlayServer
    /// The app's public key at the server.
    let apiKey: String
    /// The signer of the passengers' tokens, which stands for Harbor's backend.
    let signer: DevelopmentSigner
    /// The Workbench's password for `admin`.
    let password: String
    /// The address of the server.
    let address: URL
    /// The bidder for the banner.
    let bidder: SimulatedBidder
    /// The reserved ports of the server and the bidder.
    let ports: [LoopbackPort]
    /// The reserved port of the app.
    let appPort: LoopbackPort
    /// The application of Harbor's app for accounts and devices.
    let application: (id: ApplicationID, secret: String)
    /// Whether there is a rewarded video.
    let hasVideo: Bool

    /// Creates the company and its last week, then a server with the real clock on the same database.
    static func open(
        in folder: URL, port: Int, appPort: Int, adsMilliseconds: Int, logger: Logger
    ) async throws -> DemoHarbor {
        // All are reserved together, so that another demo that starts now chooses others.
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
        // The demo's bidder is on this machine.
        configuration.adsPrivateAddresses = true
        configuration.adsMilliseconds = adsMilliseconds
        try await createHistory(configuration, address: address.absoluteString, logger: logger)
        let film = try HarborVideo.make(in: folder)
        let pictures = try HarborPictures(film: film)
        let server = try await InlayServer.make(configuration, logger: logger) { _ in [pictures] }
        try await HarborHub(server: server).publish()
        let bidder = try await createAds(
            server, address: address, bidderPort: ports.bidder.number, milliseconds: adsMilliseconds,
            hasVideo: film != nil, logger: logger)
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
            application: try await createApplication(server),
            hasVideo: film != nil)
    }

    /// Creates the ad units, and the bidder for one of them.
    private static func createAds(
        _ server: InlayServer, address: URL, bidderPort: Int, milliseconds: Int, hasVideo: Bool,
        logger: Logger
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
            milliseconds: milliseconds, hasVideo: hasVideo
        ).create()
        return SimulatedBidder(configuration, logger: logger)
    }

    /// Creates the application with which Harbor's app opens accounts and sets up ticket readers, also before an
    /// address is verified: the demo sends no mails and only shows them in the Workbench.
    private static func createApplication(_ server: InlayServer) async throws -> (
        id: ApplicationID, secret: String
    ) {
        let applications = server.features.devices.applications
        var (application, secret) = try await applications.create(
            HarborCompany.environmentID, name: "Harbor", opensAtOnce: true)
        application.pairsUnproven = true
        try await applications.save(application)
        return (application.id, secret)
    }

    /// Creates the week before now through the real services with a clock that is moved.
    private static func createHistory(
        _ configuration: InlayServerConfiguration, address: String, logger: Logger
    ) async throws {
        let clock = HistoryClock(daysAgo: 7)
        let past = try await InlayServer.make(configuration, logger: logger, now: clock.now)
        defer { past.close() }
        try await HarborCompany(server: past, address: address).create()
        var history = HarborHistory(server: past, clock: clock)
        try await history.replay()
    }
}
