import CWebKitGTK
import Foundation
import InlayTesting
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWebHost
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayGTK

/// A view in a window, for one test.
@MainActor final class ViewInWindow {
    let surface: ScriptedSurface
    let view: SurfaceView
    let window: SurfaceWindow
    private(set) var opened: [URL] = []

    init(limits: PageLimits = PageLimits(), media: WebContent.Loader? = nil) throws {
        try #require(
            Thread.isMainThread, "WebKit allows its calls only on the thread that made its first one")
        guard gtk_init_check() != 0 else { throw SurfaceWindow.Failure.noDisplay }
        surface = ScriptedSurface()
        view = try SurfaceView(WebHost(surface, title: "Test", limits: limits, media: media))
        window = SurfaceWindow(title: "Test")
        window.add(view, title: "Test")
        view.onOpen = { [weak self] in self?.opened.append($0) }
        window.present()
    }

    /// Waits until the surface has had this number of runs.
    func ready(_ runs: Int = 1) async throws { try await eventually { surface.runs.count == runs } }

    /// Returns the value of an expression in the page as text; throws when the expression has an error.
    func value(_ expression: String) async throws -> String {
        let result = Result()
        webkit_web_view_evaluate_javascript(
            view.view, expression, -1, nil, nil, nil,
            { view, answer, data in
                guard let view, let data else { return }
                let result = Unmanaged<Result>.fromOpaque(data).takeRetainedValue()
                var error: UnsafeMutablePointer<GError>?
                let value = webkit_web_view_evaluate_javascript_finish(inlay_web_view(view), answer, &error)
                result.text = value.flatMap { jsc_value_to_string($0) }.map { String(cString: $0) }
                if result.text == nil {
                    result.error = error.map { String(cString: $0.pointee.message) } ?? "no value"
                }
            }, Unmanaged.passRetained(result).toOpaque())
        try await eventually { result.text != nil || result.error != nil }
        return try #require(result.text, "\(expression): \(result.error ?? "")")
    }

    func close() async throws {
        window.close()
        try await eventually { surface.runs.allSatisfy(\.isEnded) }
    }

    private final class Result {
        var text: String?
        var error: String?
    }
}

/// A surface whose patches are sent by the test.
@MainActor final class ScriptedSurface: Surface {
    struct Run {
        let link: SurfaceLink
        var messages: [SurfaceMessage] = []
        var isEnded = false
    }

    nonisolated let name = "stage/main"
    nonisolated let assets = SurfaceAssets.engine
    private(set) var runs: [Run] = []
    /// Whether the frame's script has made all its attempts.
    private(set) var hasForgerRun = false

    func run(_ link: SurfaceLink) async {
        let index = runs.count
        runs.append(Run(link: link))
        for await message in link.events { runs[index].messages.append(message) }
        runs[index].isEnded = true
    }

    func resource(_ path: String) async throws -> SurfaceContent {
        switch path {
        case "frame.html":
            return SurfaceContent(
                mediaType: "text/html; charset=utf-8", data: Data(Self.frame.utf8),
                rules: FrameRules(allowsScripts: true))
        case "forger.js": return SurfaceContent(mediaType: "text/javascript", data: Data(Self.forger.utf8))
        case "tried.png":
            hasForgerRun = true
            throw SurfaceContentMissing()
        default: throw SurfaceContentMissing()
        }
    }

    private static let frame =
        "<!doctype html><title>Frame</title><script src=\"forger.js\"></script><p>Frame</p>"

    /// A script that tries to send messages as the page, and then requests a picture that does not exist.
    private static let forger = """
        const message = JSON.stringify({ surface: 'stage/main', kind: 'event', id: '1', payload: { name: 'forged' } });
        const ways = [
          () => webkit.messageHandlers.inlay.postMessage(message),
          () => webkit.messageHandlers.inlay.postMessage('0'.repeat(64) + message),
          () => inlayBridge.send(message),
          () => parent.inlayBridge.send(message),
          () => parent.postMessage(message, '*'),
          () => parent.postMessage({ inlayEnvironment: { timeZone: 'forged' } }, '*'),
        ];
        for (const way of ways) { try { way(); } catch { /* refused */ } }
        new Image().src = 'tried.png';
        """

    /// The names of the events of the last run.
    var events: [String] {
        runs.last?.messages.compactMap { message in
            guard case .string(let name)? = message.payload["name"] else { return nil }
            return name
        } ?? []
    }

    func send(_ kind: String, _ payload: JSONValue) async {
        guard let link = runs.last?.link else { return }
        await link.send(SurfaceMessage(surface: name, kind: kind, id: "1", payload: payload))
    }
}
