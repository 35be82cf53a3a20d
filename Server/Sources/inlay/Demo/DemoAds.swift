import Foundation
import InlayAds
import InlayCore
import InlaySurface
import InlayWire

/// Ads in Harbor's app: a banner below the cards, and a film for a coffee.
struct DemoAds: Sendable {
    let surfaces: [any Surface]
    private let banner: AdPlacement
    private let desk: DemoDesk
    private let links: AsyncStream<URL>

    /// The places, with nothing in them yet.
    init(_ session: InlaySession) throws {
        let (links, tell) = AsyncStream.makeStream(of: URL.self, bufferingPolicy: .bufferingNewest(1))
        self.links = links
        var configuration = AdsConfiguration()
        configuration.app = AdApp(bundle: "com.example.harbor", name: "Harbor")
        configuration.links = DemoLinks(tell: tell)
        try session.ads.initialize(publisherID: HarborAds.publisherID, configuration)
        banner = session.ads.placement(
            unitID: HarborAds.bannerID, format: .banner, size: AdSize(width: 320, height: 50))
        let film = session.ads.placement(unitID: HarborAds.filmID, format: .rewarded)
        desk = DemoDesk(banner: banner, film: film)
        surfaces = [
            try AdSurface(banner, name: "banner"), try AdSurface(film, name: "film"), desk,
        ]
    }

    /// Shows the banner, which asks for the next one by itself; ends with the task.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await desk.followBanner() }
            group.addTask { await desk.followFilm() }
            group.addTask { for await address in links { await desk.open(address) } }
            group.addTask {
                // Nothing to show is no fault of the app's: the place stays empty.
                guard (try? await banner.load()) != nil else { return }
                try? banner.show()
            }
        }
    }
}

/// The browser that shows the phone is the one that links open in.
private struct DemoLinks: AdLinkOpener {
    let tell: AsyncStream<URL>.Continuation

    func open(_ address: URL) async -> Bool {
        tell.yield(address)
        return true
    }
}

/// The app's own screen for coffees, as a channel between the page around the phone and the app.
///
/// The page draws it; this tells it how many coffees there are and which ads are on screen, and hears that a film
/// is wanted.
actor DemoDesk: Surface {
    nonisolated let name = "desk"
    private let banner: AdPlacement
    private let film: AdPlacement
    private var coffees = 0
    private var showsBanner = false
    private var showsFilm = false
    private var note = ""
    private var links: [Int: SurfaceLink] = [:]
    private var nextID = 0

    init(banner: AdPlacement, film: AdPlacement) { (self.banner, self.film) = (banner, film) }

    func run(_ link: SurfaceLink) async {
        nextID += 1
        let id = nextID
        links[id] = link
        await link.send(state)
        for await message in link.events where message.kind == SurfaceMessage.Kind.event { await show() }
        links[id] = nil
    }

    /// Makes room for the banner while there is one; ends with the task.
    func followBanner() async {
        for await event in banner.events {
            if case .showing = event { showsBanner = true }
            // A refresh closes and shows again at once.
            if event.isTerminal, event != .closed(.replaced) { showsBanner = false }
            await tell()
        }
    }

    /// Counts what films bring; ends with the task.
    func followFilm() async {
        for await event in film.events {
            if event.isTerminal { showsFilm = false }
            switch event {
            case .showing: showsFilm = true
            case .rewarded:
                coffees += 1
                note = "Enjoy it on deck."
            case .loadFailed, .showFailed: note = "There is no film now."
            default: break
            }
            await tell()
        }
    }

    /// Has a link opened by the page in which it was tapped.
    func open(_ address: URL) async {
        let message = SurfaceMessage(
            surface: name, kind: "open", id: "", payload: ["address": .string(address.absoluteString)])
        for link in links.values { await link.send(message) }
    }

    private func show() async {
        note = ""
        await tell()
        guard (try? await film.load()) != nil else { return }
        try? film.show()
    }

    private func tell() async {
        for link in links.values { await link.send(state) }
    }

    private var state: SurfaceMessage {
        SurfaceMessage(
            surface: name, kind: "desk", id: "",
            payload: .object([
                "coffees": .integer(Int64(coffees)), "note": .string(note), "banner": .bool(showsBanner),
                "film": .bool(showsFilm),
            ]))
    }
}
