import Foundation
import InlayBehaviorsServer
import InlayBrowser
@_spi(Inlay) import InlayCards
import InlayCardsServer
@_spi(Inlay) import InlayCardsView
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayDevices
import InlayDevicesServer
@_spi(Inlay) import InlayHub
import InlayHubServer
@_spi(Inlay) import InlayHubView
import InlayNIO
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlaySurface
import InlayWebHost

/// The demo's host app: the SDK for one passenger, with its surfaces in a phone frame in the browser.
struct DemoApp {
    private let session: InlaySession
    private let host: BrowserHost
    private let hub: HubPresentation?
    private let ads: DemoAds

    /// The address of the app.
    var address: URL { host.address }

    /// Signs Maya in at the server and starts to listen.
    static func start(_ harbor: DemoHarbor, folder: URL) async throws -> DemoApp {
        let (server, signer) = (harbor.address, harbor.signer)
        var own = SessionConfiguration(
            environmentID: HarborCompany.environmentID.rawValue, apiKey: harbor.apiKey, baseURL: server,
            folder: folder, clientVersion: "Harbor 4.2 (demo)")
        let session = try await InlaySession(configuration: own, transport: try NIOTransport()) {
            try? signer.token(user: HarborCompany.maya.rawValue, life: .seconds(3600))
        }
        let surface = try CardListSurface(
            session.cards, container: HarborCompany.containerID.rawValue, configuration: listConfiguration,
            variables: RuntimeVariables(resolve: withPoints))
        var configuration = BrowserHost.Configuration()
        configuration.title = "Harbor"
        let page = surface.name
        let hub = try? await DemoHub.present(in: session, server: server)
        let hubSurface = try hub.map { try HubSurface($0, appearance: HubAppearance()) }
        let ads = try DemoAds(session)
        // Device accounts are separate users with a separate store.
        own.folder = folder.appendingPathComponent("devices")
        let reader = try await DemoReader(
            DevicesConfiguration(
                session: own, applicationID: harbor.application.id.rawValue,
                applicationSecret: harbor.application.secret),
            transport: try NIOTransport())
        let surfaces: [any Surface] = [surface, reader] + ads.surfaces + (hubSurface.map { [$0] } ?? [])
        let names = DemoPage.Names(cards: page, hub: hubSurface?.name, hasVideo: harbor.hasVideo)
        configuration.shell = { DemoPage.content($0, names, workbench: server) }
        configuration.port = harbor.appPort.release()
        let host = try await BrowserHost.start(
            surfaces: surfaces, configuration: configuration, media: session.media)
        return DemoApp(session: session, host: host, hub: hub, ads: ads)
    }

    /// Serves pages until the task is cancelled, then sends the passenger's last events.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await DemoBehaviors(session).run() }
            group.addTask { await ads.run() }
            if let hub { group.addTask { await DemoHub.follow(hub, in: session) } }
            await host.run()
            group.cancelAll()
        }
    }

    private static var listConfiguration: CardListConfiguration {
        var configuration = CardListConfiguration()
        configuration.setValue("Harbor", for: .cardListTitle)
        configuration.votingOptions = [.useful, .notUseful]
        return configuration
    }

    /// Resolves a runtime variable: the passenger's points.
    @Sendable private static func withPoints(_ cards: [Card]) async -> [Card] {
        cards.map { card in
            var card = card
            card.resolve("points", to: "1,240")
            return card
        }
    }
}

/// The page around the phone.
private enum DemoPage {
    /// The names of the surfaces in the phone.
    struct Names {
        let cards: String
        /// `nil` while the server has no hub.
        let hub: String?
        /// Whether there is a rewarded video.
        let hasVideo: Bool
    }

    static func content(_ path: String, _ names: Names, workbench: URL) -> WebContent? {
        switch path {
        case "": file("index.html", "text/html; charset=utf-8")
        case "app.css": file(path, "text/css; charset=utf-8")
        case "app.js": file(path, "text/javascript; charset=utf-8")
        case "tokens.css":
            SurfaceAssets.engine.data(named: path).map {
                WebContent(mediaType: SurfaceAssets.mediaType(of: path), data: $0)
            }
        case "places.json": places(names, workbench)
        default: nil
        }
    }

    private static func file(_ name: String, _ type: String) -> WebContent? {
        (try? DemoResources.data("app", name)).map { WebContent(mediaType: type, data: $0) }
    }

    private static func places(_ names: Names, _ workbench: URL) -> WebContent? {
        var places = [
            "surface": "\(names.cards)/",
            "workbench": workbench.appendingPathComponent("workbench").absoluteString,
        ]
        places["hub"] = names.hub.map { "\($0)/" }
        if names.hasVideo { places["film"] = "film/" }
        return (try? JSONEncoder().encode(places)).map {
            WebContent(mediaType: "application/json", data: $0)
        }
    }
}
