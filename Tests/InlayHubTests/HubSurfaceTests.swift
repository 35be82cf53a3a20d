import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayHub

/// The effects of a reader's events, and the files that a page may load.
@Suite(.timeLimit(.minutes(5))) struct HubSurfaceTests {
    /// A simulated view that sends events to the surface and receives its messages.
    private struct View {
        let sent: AsyncStream<SurfaceMessage>
        let send: @Sendable (JSONValue) -> Void

        /// Returns the HTML of the next patch that contains all of these words, or of the last patch.
        func shows(_ words: String...) async -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            var html = ""
            for await message in sent where message.kind == SurfaceMessage.Kind.patch {
                html = String(decoding: (try? encoder.encode(message.payload)) ?? Data(), as: UTF8.self)
                if words.allSatisfy(html.contains) { return html }
            }
            return html
        }
    }

    private let folder: TemporaryFolder
    private let decisions: AsyncStream<HubPresentation.LinkDecision>
    private let decisionContinuation: AsyncStream<HubPresentation.LinkDecision>.Continuation

    init() throws {
        folder = try TemporaryFolder()
        (decisions, decisionContinuation) = AsyncStream.makeStream()
        let index = HubIndex(
            source: "test", version: 1, publishedAt: Timestamp(microseconds: 0),
            hubs: [HubPage(id: "main", title: "The hub", channels: ["news"])],
            channels: [HubChannel(id: "news", title: "The channel", articles: ["plain", "script", "gone"])],
            articles: ["plain", "script"].map {
                HubArticle(
                    id: $0, title: "Article \($0)", publishedAt: Timestamp(microseconds: 0),
                    page: "articles/\($0)/index.html", allowsScripts: $0 == "script")
            })
        try write("index.json", JSONEncoder().encode(index))
        for id in ["plain", "script"] { try write("articles/\(id)/index.html", Data("<p>\(id)".utf8)) }
        try write("assets/loose.html", Data("<p>loose".utf8))
        try write("assets/clip.mp4", Data([1, 2, 3]))
    }

    private func write(_ path: String, _ data: Data) throws {
        let file = folder.url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    private func surface(_ access: HubAccess? = nil) throws -> HubSurface {
        var allowed = HubAllowList()
        try allowed.allow(scheme: "harbor")
        let decisionContinuation = decisionContinuation
        return try HubSurface(
            previewing: folder.url,
            access: access ?? HubAccess(contentSource: .localOnly, allowed: allowed)
        ) { decisionContinuation.yield($0) }
    }

    private func viewing(_ surface: HubSurface, _ body: (View) async throws -> Void) async throws {
        let (events, event) = AsyncStream.makeStream(of: SurfaceMessage.self)
        let (sent, send) = AsyncStream.makeStream(of: SurfaceMessage.self)
        let link = SurfaceLink(events: events, content: "/c/hub/") { send.yield($0) }
        let view = View(sent: sent) { payload in
            event.yield(
                SurfaceMessage(surface: "hub", kind: SurfaceMessage.Kind.event, id: "1", payload: payload))
        }
        async let running: Void = surface.run(link)
        try await body(view)
        event.finish()
        await running
    }

    @Test func `a reader opens a channel and an article and goes back`() async throws {
        try await viewing(surface()) { view in
            #expect(await view.shows("The hub", "Article plain").contains("The channel"))
            view.send(["name": "link", "value": "hub:channel/news"])
            _ = await view.shows("Article script")
            view.send(["name": "link", "value": "hub:article/plain"])
            #expect(await view.shows("<iframe").contains("/c/hub/articles/plain/index.html"))
            view.send(["name": "back"])
            _ = await view.shows("Article script")
            view.send(["name": "back"])
            _ = await view.shows("hub:channel/news")
        }
    }

    @Test func `a document's link opens a page of the version, and a link to another HTML file does nothing`()
        async throws
    {
        try await viewing(surface()) { view in
            _ = await view.shows("The hub")
            view.send(["name": "frame-link", "value": "http://127.0.0.1:1/c/hub/assets/loose.html"])
            view.send(["name": "frame-link", "value": "http://127.0.0.1:1/c/hub/articles/plain/index.html#x"])
            let html = await view.shows("<iframe")
            #expect(html.contains("articles/plain/index.html") && !html.contains("alertdialog"))
        }
    }

    @Test func `an external link asks first and is opened only after the reader agrees`() async throws {
        try await viewing(surface()) { view in
            _ = await view.shows("The hub")
            view.send(["name": "leave"])
            view.send(["name": "frame-link", "value": "https://www.example.com/a"])
            _ = await view.shows("alertdialog", "https://www.example.com/a")
            view.send(["name": "stay"])
            view.send(["name": "frame-link", "value": "https://www.example.com/b"])
            _ = await view.shows("https://www.example.com/b")
            view.send(["name": "leave"])
            for await message in view.sent where message.kind == SurfaceMessage.Kind.navigate {
                #expect(message.payload["url"]?.string == "https://www.example.com/b")
                break
            }
            #expect(await decisions.first { _ in true } == .ask("https://www.example.com/b"))
        }
    }

    @Test func `a link with a scheme of the app goes to the app, and other schemes are refused`() async throws
    {
        try await viewing(surface()) { view in
            _ = await view.shows("The hub")
            for address in [
                "other://x", "javascript:1", "file:///etc/passwd", "data:text/html,x", "harbor://tickets?a=1",
            ] {
                view.send(["name": "frame-link", "value": .string(address)])
            }
            #expect(await decisions.first { _ in true } == .app("harbor://tickets?a=1"))
        }
    }

    @Test func `a video of the content opens above the page, and other files do not`() async throws {
        try await viewing(surface()) { view in
            _ = await view.shows("The hub")
            view.send(["name": "video", "value": "https://evil.example/c/x.mp4"])
            view.send(["name": "video", "value": "http://127.0.0.1:1/c/hub/assets/loose.html"])
            view.send(["name": "video", "value": "http://127.0.0.1:1/c/hub/assets/clip.mp4", "title": "Clip"])
            #expect(await view.shows("<video").contains("/c/hub/assets/clip.mp4"))
            view.send(["name": "close-video"])
            _ = await view.shows("\"remove\"", "player")
        }
    }

    @Test func `a closed hub can be opened again on the reader's last page`() async throws {
        try await viewing(surface()) { view in
            _ = await view.shows("The hub")
            view.send(["name": "link", "value": "hub:article/plain"])
            _ = await view.shows("<iframe")
            view.send(["name": "close"])
            _ = await view.shows("Open again")
            view.send(["name": "retry"])
            #expect(await view.shows("<iframe").contains("articles/plain"))
        }
    }

    @Test func `a page runs scripts only when its index says so`() async throws {
        let surface = try surface()
        #expect(try await surface.resource("articles/plain/index.html").rules as? FrameRules == FrameRules())
        #expect(
            try await surface.resource("articles/script/index.html").rules as? FrameRules
                == FrameRules(allowsScripts: true))
    }

    @Test func `a file has the type of its name, and HTML that is no page is not handed out`() async throws {
        let surface = try surface()
        let clip = try await surface.resource("assets/clip.mp4")
        #expect(clip.mediaType == "video/mp4" && clip.rules == nil && clip.data == Data([1, 2, 3]))
        await #expect(throws: SurfaceContentMissing.self) { try await surface.resource("assets/loose.html") }
        await #expect(throws: (any Error).self) { try await surface.resource("../../etc/passwd") }
        await #expect(throws: (any Error).self) { try await surface.resource("assets/none.png") }
    }

    @Test func `the access of pages follows the content source and the lists`() throws {
        #expect(HubAccess(contentSource: .externalAllowed, allowed: HubAllowList()).outside == .anything)
        #expect(HubAccess(contentSource: .localOnly, allowed: HubAllowList()).outside == .nothing)
        var allowed = HubAllowList()
        try allowed.allow(domain: "www.example.com")
        try allowed.allow(url: "https://a.example/one?x=1")
        let open = HubAccess(contentSource: .localOnly, allowed: allowed)
        #expect(open.outside == .origins(["https://www.example.com"]))
        #expect(open.addresses == ["https://a.example/one?x=1"])
        let signed = HubPolicy(version: 1, allowedDomains: ["other.example"])
        let narrowed = HubAccess(contentSource: .localOnly, allowed: allowed, policy: signed)
        #expect(narrowed.outside == .nothing && narrowed.addresses.isEmpty)
    }

    @Test func `going back keeps a page's number, and a link gives it a new one`() {
        var history = HubPageHistory()
        let (a, b) = (HubReference(.hub, "a"), HubReference(.article, "b"))
        let first = history.number(of: a, canGoForward: false)
        let second = history.number(of: b, canGoForward: false)
        #expect(history.number(of: a, canGoForward: true) == first)
        #expect(history.number(of: b, canGoForward: false) == second)
        let third = history.number(of: a, canGoForward: false)
        #expect(Set([first, second, third]).count == 3)
    }
}
