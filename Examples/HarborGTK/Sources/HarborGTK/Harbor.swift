import Foundation
import InlayCards
import InlayCardsView
import InlayCore
import InlayGTK
import InlayNIO
import InlayWebHost

/// The app: a session for one passenger, and a window with the passenger's cards.
@MainActor final class Harbor {
    private let session: InlaySession
    private let window: SurfaceWindow

    init(_ settings: Settings) async throws {
        let configuration = SessionConfiguration(
            environmentID: settings.environmentID, apiKey: settings.apiKey, baseURL: settings.server,
            folder: settings.folder, clientVersion: "Harbor 4.2 (GTK)")
        session = try await InlaySession(configuration: configuration, transport: try NIOTransport()) {
            settings.token
        }
        var list = CardListConfiguration()
        list.setValue("Harbor", for: .cardListTitle)
        let cards = try CardListSurface(session.cards, container: "home", configuration: list)
        window = SurfaceWindow(title: "Harbor")
        window.add(try SurfaceView(cards, title: "Harbor", media: session.media), title: "Cards")
        window.present()
    }

    /// Returns when the user has closed the window.
    func untilClosed() async { await window.untilClosed() }
}
