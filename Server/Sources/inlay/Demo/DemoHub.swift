import Foundation
import InlayCore
import InlayHub
import InlayWire

/// Harbor's hub in the demo's app.
enum DemoHub {
    /// The content source that the demo's server has.
    static let source = "main"

    /// Starts the hub and puts it on screen.
    ///
    /// A real app carries its root of trust. The demo's keys are made anew at each start, so it takes the
    /// root from the server that it started itself.
    static func present(in session: InlaySession, server: URL) async throws -> HubPresentation {
        let base = server.absoluteString
        let path = InlayPath.hubMetadata(environment: HarborCompany.environmentID, source: source)
        guard let url = URL(string: base.trimmingSuffix("/") + path + "1.root.json") else {
            throw URLError(.badURL)
        }
        let root = try await session.transport.send(TransportRequest(url: url))
        guard root.status == 200 else { throw URLError(.fileDoesNotExist) }
        try session.hub.start(HubConfiguration(source: source, trust: .root(root.body)))
        if try session.hub.users.active == nil {
            try session.hub.users.create(HarborCompany.maya, tags: ["islands"])
            try session.hub.users.setActive(HarborCompany.maya)
        }
        return try session.hub.present()
    }

    /// Shows every new version at once, where the reader is: who watches a demo waits for what they published.
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
