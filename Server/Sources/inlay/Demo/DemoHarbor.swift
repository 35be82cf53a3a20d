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

/// The server of the demo's company, Harbor, with its data and ready to run.
struct DemoHarbor: Sendable {
    let server: InlayServer
    /// The app's API key, which is not secret.
    let apiKey: String
    /// The signer of the passengers' tokens, in place of Harbor's backend.
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

    /// Creates the company with a week of history, then a server with the real clock on the same database.
    static func open(
        in folder: URL, port: Int, appPort: Int, adsMilliseconds: Int, logger: Logger
    ) async throws -> DemoHarbor {
        // The ports are reserved together, so that a demo that starts at the same time chooses others.
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
        let video = try HarborVideo.make(in: folder)
        let pictures = try HarborPictures(video: video)
        let server = try await InlayServer.make(configuration, logger: logger) { _ in [pictures] }
        try await HarborHub(server: server).publish()
        let bidder = try await createAds(
            server, address: address, bidderPort: ports.bidder.number, milliseconds: adsMilliseconds,
            hasVideo: video != nil, logger: logger)
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
            hasVideo: video != nil)
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

    /// Creates the application with which Harbor's app opens accounts and sets up ticket readers. Neither waits until
    /// an address is verified, because the demo sends no mails and only shows them in the Workbench.
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

    /// Creates the history of the past week through the real services, with a clock that is set to past times.
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

/// Harbor's hub: the folder in the demo's resources, published as by `inlay publish`.
struct HarborHub {
    static let sourceID = HubSourceID("main")

    let server: InlayServer

    /// Publishes the folder as the first version.
    func publish() async throws {
        let hub = server.features.hub
        let folder = try HubFolder(
            DemoResources.folder("harbor").appendingPathComponent("hub"), now: server.services.now())
        try await hub.content.createSource(HarborCompany.environmentID, id: Self.sourceID, name: "Harbor")
        for path in folder.files.keys {
            try await hub.blobs.put(HarborCompany.environmentID, try folder.data(path))
        }
        _ = try await hub.publisher.publish(
            HarborCompany.environmentID, Self.sourceID, folder.manifest, by: "demo")
    }
}
