@_spi(Inlay) import InlayWire
import InlayWorkbench

/// Addresses that are called at one moment of an ad.
struct VASTCallView {
    /// The maximum number of listed addresses; the others are only counted.
    private static let maximumListed = 3

    let callName: String
    let callCount: String
    let addresses: [String]
    let moreText: String?

    /// `nil` when nothing is called.
    private init?(_ name: String, _ addresses: [String]) {
        guard !addresses.isEmpty else { return nil }
        callName = name
        callCount = Count.grouped(addresses.count)
        self.addresses = Array(addresses.prefix(Self.maximumListed))
        let more = addresses.count - self.addresses.count
        moreText = more > 0 ? "and \(Count.grouped(more)) more" : nil
    }

    /// Returns the calls of an ad, in the order in which they can happen.
    static func all(of ad: VASTAd) -> [VASTCallView] {
        let video = ad.linear
        let rows: [VASTCallView?] =
            [VASTCallView("Impression", ad.impressions.map(\.address))] + events(of: video) + [
                VASTCallView("Tap", video?.clickTracking.map(\.address) ?? []),
                VASTCallView("Click without an address", video?.customClicks.map(\.address) ?? []),
                VASTCallView("Could be seen", ad.viewability.viewable),
                VASTCallView("Could not be seen", ad.viewability.notViewable),
                VASTCallView("Unknown", ad.viewability.undetermined),
                VASTCallView("Error", ad.errors),
            ]
        return rows.compactMap { $0 }
    }

    private static func events(of video: VASTLinear?) -> [VASTCallView?] {
        guard let video else { return [] }
        let length = video.duration ?? .zero
        var names: [String] = []
        var found: [String: [String]] = [:]
        for tracking in video.tracking {
            let moment = tracking.offset.map { " at " + VASTText.offset($0, in: length) } ?? ""
            let name = tracking.event.rawValue + moment
            if found[name] == nil { names.append(name) }
            found[name, default: []].append(tracking.address)
        }
        return names.map { VASTCallView($0, found[$0] ?? []) }
    }
}

/// A companion banner or an icon of a video ad.
struct VASTBannerView {
    let bannerName: String
    let bannerSize: String
    let bannerShows: String
    let bannerLink: String

    /// A companion.
    init(_ companion: VASTCompanion) {
        let mode = companion.rendering == "default" ? "" : ", \(companion.rendering)"
        self.init(
            "Companion\(mode)", companion.width, companion.height, companion.resources,
            companion.clickThrough)
    }

    /// An icon.
    init(_ icon: VASTIcon) {
        self.init(
            icon.program.isEmpty ? "Icon" : "Icon of \(icon.program)", icon.width, icon.height,
            // An icon over a video needs no markup of its own.
            icon.resources.filter { if case .file = $0 { true } else { false } }, icon.clickThrough)
    }

    private init(
        _ name: String, _ width: Int, _ height: Int, _ resources: [VASTResource], _ link: VASTLink?
    ) {
        bannerName = name
        bannerSize = width > 0 && height > 0 ? "\(width) × \(height)" : "not specified"
        // Apps show the first resource.
        bannerShows =
            switch resources.first {
            case .file(let address, let type): "\(type): \(address)"
            case .frame(let address): "A page in a frame: \(address)"
            case .html(let markup): "Markup, \(Count.of(markup.utf8.count, "byte"))"
            case nil: "No content"
            }
        bannerLink = link?.address ?? "nowhere"
    }
}
