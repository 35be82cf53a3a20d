import Foundation
import InlayBrowser
import InlayCards
import InlayCore
import InlayDevices
import InlayHub
import InlayNIO
import InlayServer
import InlaySurface

/// The demo's host app: the real SDK for one passenger, its surface in a phone frame in the browser.
struct DemoApp {
    private let session: InlaySession
    private let host: BrowserHost
    private let hub: HubPresentation?
    private let ads: DemoAds

    /// Where to open it.
    var address: URL { host.address }

    /// Logs Maya in at the server and starts to listen.
    static func start(_ harbor: DemoHarbor, folder: URL) async throws -> DemoApp {
        let (server, signer) = (harbor.address, harbor.signer)
        var own = SessionConfiguration(
            environmentID: HarborCompany.environmentID, apiKey: harbor.apiKey, baseURL: server,
            folder: folder, clientVersion: "Harbor 4.2 (demo)")
        let session = try await InlaySession(configuration: own, transport: try NIOTransport()) {
            try? signer.token(user: HarborCompany.maya, life: .seconds(3600))
        }
        let surface = try CardListSurface(
            session.cards, container: HarborCompany.containerID, configuration: listConfiguration,
            variables: RuntimeVariables(resolve: withPoints))
        var configuration = BrowserHost.Configuration()
        configuration.title = "Harbor"
        let page = surface.name
        let hub = try? await DemoHub.present(in: session, server: server)
        let hubSurface = try hub.map { try HubSurface($0, look: HubLook()) }
        let ads = try DemoAds(session)
        // Accounts of devices are people of their own, with a store of their own.
        own.folder = folder.appendingPathComponent("devices")
        let reader = try await DemoReader(
            DevicesConfiguration(
                session: own, applicationID: harbor.application.id,
                applicationSecret: harbor.application.secret),
            transport: try NIOTransport())
        let surfaces: [any Surface] = [surface, reader] + ads.surfaces + (hubSurface.map { [$0] } ?? [])
        let names = DemoPage.Names(cards: page, hub: hubSurface?.name, hasFilm: harbor.hasFilm)
        configuration.shell = { DemoPage.content($0, names, workbench: server) }
        configuration.port = harbor.appPort.release()
        let host = try await BrowserHost.start(
            surfaces: surfaces, configuration: configuration, media: media(session.transport))
        return DemoApp(session: session, host: host, hub: hub, ads: ads)
    }

    /// Serves pages until the task is cancelled, then sends what the passenger did last.
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

    /// What only the app knows: the passenger's miles.
    @Sendable private static func withPoints(_ cards: [Card]) async -> [Card] {
        cards.map { card in
            var card = card
            card.resolve("points", to: "1,240")
            return card
        }
    }

    /// Pictures come through the SDK's transport, so the app's gate decides over them too.
    private static func media(_ transport: GatedTransport) -> BrowserHost.MediaLoader {
        { url in
            let answer = try await transport.send(TransportRequest(url: url))
            guard answer.status == 200, let type = answer.headers["content-type"] else {
                throw URLError(.badServerResponse)
            }
            return BrowserContent(mediaType: type, data: answer.body)
        }
    }
}

/// The page around the phone.
private enum DemoPage {
    /// The surfaces in the phone.
    struct Names {
        let cards: String
        /// Absent while the server has no hub.
        let hub: String?
        /// Whether a film can be watched for a coffee.
        let hasFilm: Bool
    }

    static func content(_ path: String, _ names: Names, workbench: URL) -> BrowserContent? {
        switch path {
        case "": file("index.html", "text/html; charset=utf-8")
        case "app.css": file(path, "text/css; charset=utf-8")
        case "app.js": file(path, "text/javascript; charset=utf-8")
        case "tokens.css":
            SurfaceAssets.data(named: path).map {
                BrowserContent(mediaType: SurfaceAssets.mediaType(of: path), data: $0)
            }
        case "places.json": places(names, workbench)
        default: nil
        }
    }

    private static func file(_ name: String, _ type: String) -> BrowserContent? {
        (try? DemoResources.data("app", name)).map { BrowserContent(mediaType: type, data: $0) }
    }

    private static func places(_ names: Names, _ workbench: URL) -> BrowserContent? {
        var places = [
            "surface": "\(names.cards)/",
            "workbench": workbench.appendingPathComponent("workbench").absoluteString,
        ]
        places["hub"] = names.hub.map { "\($0)/" }
        if names.hasFilm { places["film"] = "film/" }
        return (try? JSONEncoder().encode(places)).map {
            BrowserContent(mediaType: "application/json", data: $0)
        }
    }
}
