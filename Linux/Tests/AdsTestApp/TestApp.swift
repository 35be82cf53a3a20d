import Foundation
@_spi(Inlay) import InlayAds
import InlayBrowser
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlaySurface
import InlayWebHost
@_spi(Inlay) import InlayWire

/// The app under test, with one session, one ad placement and one surface.
struct TestApp: Sendable {
    let session: InlaySession
    let placement: AdPlacement
    let surface: AdSurface
    let transport: TestTransport
    let links: TestLinkOpener

    static let publisher = "0b5c7f0e-5d1e-4f5a-9a55-3f1a5a0c2d11"
    static let unit = "7d8c7a9e-12c3-4f6e-8a39-6f0f9f6b7c21"

    /// - Parameter size: The space for the ad, as `320x50`; without it, the app sends no size.
    static func start(in folder: URL, format: AdFormat?, size: String?) async throws -> TestApp {
        let (transport, links) = (TestTransport(), TestLinkOpener())
        guard let server = URL(string: "https://ads.test") else { throw SessionError.folderUnusable("") }
        let configuration = SessionConfiguration(
            environmentID: "stage", apiKey: "key", baseURL: server, folder: folder)
        let session = try await InlaySession(configuration: configuration, transport: transport) { token }
        var ads = AdsConfiguration()
        ads.links = links
        ads.app = AdsConfiguration.App(bundle: "com.example.app", name: "TestApp")
        try session.ads.initialize(publisherID: publisher, ads)
        let sides = size?.split(separator: "x").compactMap { Double($0) } ?? []
        let size = sides.count == 2 ? AdSize(width: sides[0], height: sides[1]) : nil
        let placement = session.ads.placement(unitID: unit, format: format, size: size)
        return TestApp(
            session: session, placement: placement, surface: try AdSurface(placement), transport: transport,
            links: links)
    }

    private init(
        session: InlaySession, placement: AdPlacement, surface: AdSurface, transport: TestTransport,
        links: TestLinkOpener
    ) {
        (self.session, self.placement, self.surface) = (session, placement, surface)
        (self.transport, self.links) = (transport, links)
    }

    // An unsigned token: {"alg":"none"}.{"sub":"maya"}
    private static let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJtYXlhIn0."
}

extension TestApp {
    /// Runs the commands on the lines of standard input, one after the other, until it ends.
    func runCommands() async {
        for await line in Self.lines() {
            guard let command = Command(line) else { continue }
            var report: [String: JSONValue] = ["done": .string(command.name)]
            do { try await perform(command) } catch { report["error"] = .string("\(error)") }
            Report.line(report)
        }
    }

    /// The lines of standard input. A separate thread reads them, because reading blocks; it ends with the input.
    private static func lines() -> AsyncStream<String> {
        AsyncStream { lines in
            Thread.detachNewThread {
                while let line = readLine() { lines.yield(line) }
                lines.finish()
            }
        }
    }

    private func perform(_ command: Command) async throws {
        switch command.name {
        case "answer": transport.answer(command.number("status") ?? 200, command.parts["body"])
        case "file":
            transport.serve(
                command.text("address") ?? "", path: command.text("path") ?? "",
                type: command.text("type") ?? "", status: command.number("status") ?? 200)
        case "cut": transport.cut(command.flag("is"))
        case "browser": links.setBrowser(command.flag("is"))
        case "load": try await placement.load()
        case "show": try placement.show()
        case "dismiss": placement.dismiss()
        case "destroy": placement.destroy()
        case "sync": break
        default: Report.line(["unknown": .string(command.name)])
        }
    }

    /// Prints every event of the placement.
    func reportEvents() async {
        for await event in placement.events {
            Report.line(["event": .string("\(event)"), "state": .string(placement.state.rawValue)])
        }
    }
}
