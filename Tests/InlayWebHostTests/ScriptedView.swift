import Foundation
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWebHost
@_spi(Inlay) import InlayWire

/// A simulated web view that records its host's calls and sends the page's messages for a test.
@MainActor final class ScriptedView: WebView {
    let host: WebHost
    private(set) var loaded: [URL] = []
    private var script = ""
    private(set) var scripts: [String] = []
    private(set) var opened: [URL] = []
    private(set) var heights: [Int] = []

    init(_ host: WebHost) {
        self.host = host
        host.view = self
    }

    func load(_ address: URL, script: String) {
        loaded.append(address)
        self.script = script
    }

    func run(_ script: String) { scripts.append(script) }

    func open(_ address: URL) { opened.append(address) }

    func contentHeightChanged(_ height: Int) { heights.append(height) }

    /// Sends a message with the token of the host's script, as the page does.
    func send(_ kind: String, surface: String = "cards/home", _ payload: JSONValue = [:]) throws {
        host.received(try token + Self.text(kind, surface: surface, payload))
    }

    /// The token in the script of the loaded page.
    var token: String {
        get throws {
            guard let match = script.firstMatch(of: /\("([0-9a-f]{64})"\);$/) else {
                throw CocoaError(.formatting)
            }
            return String(match.output.1)
        }
    }

    static func text(_ kind: String, surface: String = "cards/home", _ payload: JSONValue = [:]) throws
        -> String
    {
        let message = SurfaceMessage(surface: surface, kind: kind, id: "1", payload: payload)
        return String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
    }
}

/// A surface that sends every event back and reports the beginning and the end of each run. The event `end` ends a
/// run. A cancelled run sends one more message.
struct EchoSurface: Surface {
    enum RunEvent: Hashable, Sendable { case began, ended }

    let name: String
    let assets = SurfaceAssets.engine
    let runEvents: AsyncStream<RunEvent>
    private let continuation: AsyncStream<RunEvent>.Continuation

    init(name: String = "cards/home") {
        self.name = name
        (runEvents, continuation) = AsyncStream.makeStream()
    }

    func resource(_ path: String) async throws -> SurfaceContent {
        switch path {
        case "picture.svg": return SurfaceContent(mediaType: "image/svg+xml", data: Data("<svg/>".utf8))
        case "a page.html":
            return SurfaceContent(mediaType: "text/html", data: Data("<p>Page</p>".utf8), rules: FrameRules())
        default: throw SurfaceContentMissing()
        }
    }

    func run(_ link: SurfaceLink) async {
        continuation.yield(.began)
        for await message in link.events {
            if message.payload["name"] == "end" { break }
            await link.send(
                SurfaceMessage(
                    surface: name, kind: SurfaceMessage.Kind.patch, id: message.id, payload: message.payload))
        }
        if Task.isCancelled {
            await link.send(
                SurfaceMessage(surface: name, kind: SurfaceMessage.Kind.patch, id: "late", payload: [:]))
        }
        continuation.yield(.ended)
    }
}
