import Foundation
@_spi(Inlay) import InlayAds
import InlayAdsServer
@_spi(Inlay) import InlayCore
import InlayOpenRTB
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// The ads in Harbor's app: a banner below the cards, and a rewarded video that gives a coffee.
struct DemoAds: Sendable {
    let surfaces: [any Surface]
    private let banner: AdPlacement
    private let coffeeSurface: CoffeeSurface
    private let links: AsyncStream<URL>

    /// Makes the placements, which have no ads yet.
    init(_ session: InlaySession) throws {
        let (links, continuation) = AsyncStream.makeStream(of: URL.self, bufferingPolicy: .bufferingNewest(1))
        self.links = links
        var configuration = AdsConfiguration()
        configuration.app = AdsConfiguration.App(bundle: "com.example.harbor", name: "Harbor")
        configuration.links = DemoLinks(continuation: continuation)
        // Long enough for a busy machine, because a failed load of the banner is not repeated.
        configuration.timeout = .seconds(30)
        try session.ads.initialize(publisherID: HarborAds.publisherID, configuration)
        banner = session.ads.placement(
            unitID: HarborAds.bannerUnitID, format: .banner, size: AdSize(width: 320, height: 50))
        let video = session.ads.placement(unitID: HarborAds.videoUnitID, format: .rewarded)
        coffeeSurface = CoffeeSurface(banner: banner, video: video)
        surfaces = [
            try AdSurface(banner, name: "banner"), try AdSurface(video, name: "film"), coffeeSurface,
        ]
    }

    /// Shows the banner, which refreshes itself; ends with the task.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await coffeeSurface.followBanner() }
            group.addTask { await coffeeSurface.followVideo() }
            group.addTask { for await address in links { await coffeeSurface.open(address) } }
            group.addTask {
                // No fill is not an error: the placement stays empty.
                guard (try? await banner.load()) != nil else { return }
                try? banner.show()
            }
        }
    }
}

/// An opener that passes links to the browser that shows the phone.
private struct DemoLinks: AdLinkOpener {
    let continuation: AsyncStream<URL>.Continuation

    func open(_ address: URL) async -> Bool {
        continuation.yield(address)
        return true
    }
}

/// The state of the app's own screen for coffees, which the page around the phone draws.
///
/// It sends the number of coffees and which ads are on screen, and receives the request to show the video.
actor CoffeeSurface: Surface {
    nonisolated let name = "coffees"
    nonisolated let assets = SurfaceAssets.engine
    private let banner: AdPlacement
    private let video: AdPlacement
    private var coffees = 0
    private var showsBanner = false
    private var showsVideo = false
    private var note = ""
    private var links: [Int: SurfaceLink] = [:]
    private var nextID = 0

    init(banner: AdPlacement, video: AdPlacement) { (self.banner, self.video) = (banner, video) }

    func run(_ link: SurfaceLink) async {
        nextID += 1
        let id = nextID
        links[id] = link
        await link.send(state)
        for await message in link.events where message.kind == SurfaceMessage.Kind.event { await show() }
        links[id] = nil
    }

    /// Shows the banner's frame while there is a banner; ends with the task.
    func followBanner() async {
        for await event in banner.events {
            if case .showing = event { showsBanner = true }
            // A refresh closes and shows again at once.
            if event.isTerminal, event != .closed(.replaced) { showsBanner = false }
            await sendState()
        }
    }

    /// Counts the rewards of videos; ends with the task.
    func followVideo() async {
        for await event in video.events {
            if event.isTerminal { showsVideo = false }
            switch event {
            case .showing: showsVideo = true
            case .rewarded:
                coffees += 1
                note = "Enjoy it on deck."
            case .loadFailed, .showFailed: note = "There is no film now."
            default: break
            }
            await sendState()
        }
    }

    /// Makes the pages around the phone open a link that was tapped in an ad.
    func open(_ address: URL) async {
        let message = SurfaceMessage(
            surface: name, kind: "open", id: "", payload: ["address": .string(address.absoluteString)])
        for link in links.values { await link.send(message) }
    }

    private func show() async {
        note = ""
        await sendState()
        guard (try? await video.load()) != nil else { return }
        try? video.show()
    }

    private func sendState() async {
        for link in links.values { await link.send(state) }
    }

    private var state: SurfaceMessage {
        SurfaceMessage(
            surface: name, kind: "state", id: "",
            payload: .object([
                "coffees": .integer(Int64(coffees)), "note": .string(note), "banner": .bool(showsBanner),
                "film": .bool(showsVideo),
            ]))
    }
}
