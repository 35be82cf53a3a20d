import Foundation
import InlayCards
import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

/// The code of the article "Show your first card in an app", run as in an app.
@Suite struct FirstCardTests {
    @Test func `the first card of the tutorial is shown, submitted, and confirmed by the server`()
        async throws
    {
        let server = ScriptedTransport(), folder = try TemporaryFolder()
        server.always(InlayPath.cardActions, .receipts)
        server.always(InlayPath.analytics, .receipts)
        server.always(
            InlayPath.cardFeed(container: "home"),
            try .json(Sample.feed(1, [Sample.instance("a")], container: "home")))
        let app = FirstCardApp(folder: folder.url, transport: server)
        let session = try await app.start()
        // Cancelled below: an app observes for as long as it shows the container.
        let watching = Task { await app.watch(session) }
        let card = try #require(await app.shown.stream.first { _ in true })
        try await app.answer(card, session)
        watching.cancel()
        let sent = try #require(server.requests(InlayPath.cardActions).first?.body)
        let action = try #require(try JSONDecoder().decode(Batch<CardAction>.self, from: sent).items.first)
        #expect(action.cardID == "a" && action.containerID == "home")
        #expect(action.kind == .submit(buttonName: "accept", values: ["places": 2.0]))
        #expect(try app.surface(session).name == "cards/home")
    }

    @Test func `the code of the tutorial is the code that this test runs`() throws {
        let own = URL(fileURLWithPath: #filePath)
        let article = own.deletingLastPathComponent().appendingPathComponent(
            "../../Sources/InlayCards/InlayCards.docc/FirstCard.md")
        let blocks = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```swift\n")
            .dropFirst().map { $0.components(separatedBy: "\n```")[0] }
        #expect(blocks.count == 6)
        let code = Self.plain(try String(contentsOf: own, encoding: .utf8))
        for block in blocks { #expect(code.contains(Self.plain(block)), "\(block)") }
    }

    /// Returns the lines that are not empty, without their indentation.
    private static func plain(_ text: String) -> String {
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }
}

/// The parts of an app that follows the tutorial.
private struct FirstCardApp {
    struct Backend {
        func token() async throws -> String { TestToken.unsigned(subject: "maya", expires: nil) }
    }

    let folder: URL
    let transport: any Transport
    let backend = Backend()
    let shown = AsyncStream<Card>.makeStream()

    func start() async throws -> InlaySession {
        let configuration = SessionConfiguration(
            environmentID: "harbor", apiKey: "ak_harbor", baseURL: URL(string: "https://inlay.example.com")!,
            folder: folder)
        let session = try await InlaySession(configuration: configuration, transport: transport) {
            try? await backend.token()
        }
        return session
    }

    func watch(_ session: InlaySession) async {
        for await state in session.cards.observe("home") {
            show(state.cards, unseen: state.unseen)
        }
    }

    func show(_ cards: [Card], unseen: Int) {
        for card in cards { shown.continuation.yield(card) }
    }

    func answer(_ card: Card, _ session: InlaySession) async throws {
        let ticket = try await session.cards.submit(
            card.id, in: "home", button: "accept", values: ["places": 2.0])
        try await ticket.confirmed()
    }

    func surface(_ session: InlaySession) throws -> CardListSurface {
        let surface = try CardListSurface(session.cards, container: "home")
        return surface
    }
}
