import Foundation
import InlayBehaviorsServer
import InlayCardsServer
@_spi(Inlay) import InlayCore
import InlayDevicesServer
@_spi(Inlay) import InlayHub
import InlayHubServer
@_spi(Inlay) import InlayWire

/// Harbor's hub in the demo's app.
enum DemoHub {
    /// The content source that the demo's server has.
    static let source = "main"

    /// Starts and presents the hub.
    ///
    /// A real app contains its root of trust. The demo makes new keys at each start, so it fetches the root from the
    /// server that it has started.
    static func present(in session: InlaySession, server: URL) async throws -> HubPresentation {
        let base = server.absoluteString
        let path = InlayPath.hubMetadata(environment: HarborCompany.environmentID.rawValue, source: source)
        guard let url = URL(string: base.trimmingSuffix("/") + path + "1.root.json") else {
            throw URLError(.badURL)
        }
        let root = try await session.transport.send(TransportRequest(url: url))
        guard root.status == 200 else { throw URLError(.fileDoesNotExist) }
        try session.hub.start(HubConfiguration(source: source, trust: .root(root.body)))
        if try session.hub.users.active == nil {
            try session.hub.users.create(HarborCompany.maya.rawValue, tags: ["islands"])
            try session.hub.users.setActive(HarborCompany.maya.rawValue)
        }
        return try session.hub.present()
    }

    /// Shows every new version at once and keeps the current page, because the demo's user waits for it.
    static func follow(_ hub: HubPresentation, in session: InlaySession) async {
        for await event in session.hub.events {
            guard case .activated = event, hub.state.isDisplayed, hub.page != nil else { continue }
            try? hub.dismiss()
            try? session.hub.present(again: hub)
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
