import Foundation
import InlayCore
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// The methods that an `AdShow` calls.
extension AdPlacement {
    func mediaFile(of show: Int) -> MediaFile? {
        inner.withLock { $0.show == show ? $0.bid?.mediaFile : nil }
    }

    func touched(_ show: Int) {
        let now = ads.session.clock.now()
        inner.withLock { inner in
            guard inner.show == show else { return }
            inner.link.touchedAt = now
        }
    }

    func follow(_ address: String, _ show: Int, isClick: Bool) async -> AdLinkDecision {
        let now = ads.session.clock.now()
        let decision = inner.withLock { inner -> Result<URL, AdLinkRefused> in
            guard inner.show == show, inner.machine.state == .shown else {
                return .failure(AdLinkRefused(reason: .notShown))
            }
            return inner.link.follow(address, at: now)
        }
        switch decision {
        case .failure(let refused): return .refused(refused.reason)
        case .success(let url):
            // The click is counted before the link is opened, because the app may be in the background right after.
            if isClick { await send(.clicked(show)) }
            guard await ads.links.open(url) else { return .show(url) }
            linkClosed(show)
            return .opened
        }
    }

    func linkClosed(_ show: Int) {
        inner.withLock { inner in
            guard inner.show == show else { return }
            inner.link.isFollowing = false
        }
    }

    func progressed(to place: Duration, _ show: Int) async {
        inner.withLock { inner in
            guard inner.show == show, inner.machine.state == .shown, let bid = inner.bid else {
                return
            }
            for (index, tracker) in bid.trackers.progress.enumerated()
            where tracker.offset <= place && inner.calledProgressTrackers.insert(index).inserted {
                ads.trackerQueue.call([tracker.address], &inner.budget)
            }
        }
        await ads.trackerQueue.settled()
    }

    func call(_ addresses: [String], _ show: Int) async {
        inner.withLock { inner in
            guard inner.show == show, inner.machine.state == .shown else { return }
            ads.trackerQueue.call(addresses, &inner.budget)
        }
        await ads.trackerQueue.settled()
    }
}
