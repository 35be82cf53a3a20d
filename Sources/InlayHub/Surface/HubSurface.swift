public import Foundation
public import InlaySurface
import InlayCore
import InlayWire

/// A hub on screen: shows what its presentation holds and knows what the reader's events mean.
///
/// Several views may show it at once; they share page, history and questions, and each has its own light,
/// language and text size.
public actor HubSurface: Surface {
    /// `hub/` and the name of the hub's place in the app.
    public nonisolated let name: String
    nonisolated let reader: any HubReading
    private let renderer: SurfaceRenderer
    private let now: @Sendable () -> Timestamp
    private let log: @Sendable (String) -> Void

    private var screen: HubScreen?
    private var overlay: HubScreen.Overlay?
    private var views: [Int: HubViewPort] = [:]
    private var nextID = 0
    /// The place for which a question or a video is open: they belong to its page.
    private var overlayPlace: Int?

    /// A surface for a hub that was presented.
    ///
    /// - Parameters:
    ///   - look: words, colours and type of the app's own; without it the look of the hub's settings.
    /// - Throws: `SurfaceRenderer.Failure` when the module's resources are missing.
    public init(_ presentation: HubPresentation, name: String = "hub", look: HubLook? = nil) throws {
        let session = presentation.source.session
        try self.init(
            name: name, reader: HubPresentationReader(presentation, look: look),
            now: { session.serverClock.now() }, log: { session.log.operation($0) })
    }

    /// A surface for a content version whose files lie in a folder, for authors: nothing is verified.
    ///
    /// - Parameters:
    ///   - status: shown in place of any page, to see how it looks.
    ///   - outcome: hears of links to the app, and of links that the reader agreed to leave for.
    /// - Throws: when the folder has no readable `index.json`.
    public init(
        previewing folder: URL, name: String = "hub", look: HubLook = HubLook(),
        access: HubAccess = HubAccess(contentSource: .localOnly, allowed: HubAllowList()),
        status: HubScreen.Body? = nil,
        outcome: @escaping @Sendable (HubLinkDecision) -> Void = { _ in }
    ) throws {
        let reader = try HubFolderReader(folder, look: look, access: access, status: status, tell: outcome)
        try self.init(name: name, reader: reader, now: { SystemClock().now() })
    }

    /// A surface over anything that can be read.
    ///
    /// - Throws: `SurfaceRenderer.Failure` when the module's resources are missing.
    package init(
        name: String = "hub", reader: any HubReading, now: @escaping @Sendable () -> Timestamp,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        self.name = name
        self.reader = reader
        self.now = now
        self.log = log
        renderer = try SurfaceRenderer.load()
    }

    /// Serves one view until its events end or the task is cancelled.
    public func run(_ link: SurfaceLink) async {
        let (id, redraws) = enter(link)
        await withTaskGroup { group in
            group.addTask { for await _ in redraws { await self.draw(id) } }
            group.addTask { await self.reader.watch { await self.take($0) } }
            group.addTask {
                for await message in link.events { await self.received(message, from: id) }
                // The view is gone; the other tasks have nobody to work for.
                await self.leave(id)
            }
            for await _ in group where views[id] == nil { group.cancelAll() }
        }
        leave(id)
    }

    /// A file of the version that is shown; documents come with the rules of their frame.
    public nonisolated func resource(_ path: String) async throws -> SurfaceContent {
        let type = SurfaceMediaType.of(path)
        let page = reader.index?.page(at: path)
        // Only what the index names as a page is a document; another HTML file of the version is not shown.
        guard page != nil || !type.hasPrefix("text/html") else { throw SurfaceContentMissing() }
        let (access, data) = (reader.access, try await reader.file(path))
        guard let page else { return SurfaceContent(mediaType: type, data: sheet(data, path, access)) }
        return SurfaceContent(
            mediaType: type, data: data,
            rules: FrameRules(
                allowsScripts: page.allowsScripts, outside: access.outside, addresses: access.addresses))
    }

    public nonisolated func allowsRequest(to address: String) async -> Bool {
        reader.access.allowsAddress(address)
    }

    /// A style sheet loads listed addresses from its host, as documents do.
    private nonisolated func sheet(_ data: Data, _ path: String, _ access: HubAccess) -> Data {
        guard path.hasSuffix(".css"), !access.addresses.isEmpty else { return data }
        let top = String(repeating: "../", count: path.split(separator: "/").count - 1)
        return Data(OutsideAddresses(access.addresses, prefix: top).carried([UInt8](data)))
    }

    // MARK: Views

    private func enter(_ link: SurfaceLink) -> (Int, AsyncStream<Void>) {
        // Any number of changes between two drawings is one drawing.
        let (redraws, redraw) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        nextID += 1
        views[nextID] = HubViewPort(link: link, redraw: redraw)
        redraw.yield()
        return (nextID, redraws)
    }

    private func leave(_ id: Int) {
        guard let view = views.removeValue(forKey: id) else { return }
        view.redraw.finish()
        // Nobody sees the question any more; the next view starts with the page.
        if views.isEmpty { overlay = nil }
    }

    private func take(_ screen: HubScreen) {
        if overlayPlace != screen.place { overlay = nil }
        self.screen = screen
        redraw()
    }

    private func redraw() { views.values.forEach { $0.redraw.yield() } }

    private func draw(_ id: Int) async {
        guard let view = views[id], var screen else { return }
        screen.overlay = overlay
        do {
            let frame = try HubPresenter.present(
                screen, reader.look, environment: view.environment, content: view.link.content, now: now()
            ).frame(renderer)
            let patch = SurfacePatch.between(view.frame, frame)
            views[id]?.frame = frame
            guard !patch.isEmpty else { return }
            await send(SurfaceMessage.Kind.patch, patch.payload, to: id)
        } catch {
            log("hub: could not be drawn: \(error)")
        }
    }

    private func send(_ kind: String, _ payload: JSONValue, to id: Int) async {
        await views[id]?.link.send(
            SurfaceMessage(surface: name, kind: kind, id: UUIDv7.make(at: now()), payload: payload))
    }
}

// MARK: - Events

extension HubSurface {
    /// Acts on what a page says. A message that is no event, or asks for what is not on screen, does nothing.
    private func received(_ message: SurfaceMessage, from id: Int) async {
        switch message.kind {
        case SurfaceMessage.Kind.ready:
            // A page that was loaded again shows nothing, whatever was sent to the one before.
            views[id]?.frame = nil
            views[id]?.environment = SurfaceEnvironment(payload: message.payload)
        case SurfaceMessage.Kind.environment:
            views[id]?.environment = SurfaceEnvironment(payload: message.payload)
        default:
            guard let event = HubViewEvent(message) else { return }
            // Nothing is drawn anew for it.
            if case .scrolled(let top) = event { return await reader.scrolled(to: top) }
            await act(on: event, from: id)
        }
        redraw()
    }

    private func act(on event: HubViewEvent, from id: Int) async {
        // What covers the page is answered first; a page that says otherwise is behind the times.
        if let overlay { return await answer(event, overlay, from: id) }
        switch event {
        case .back: await reader.goBack()
        case .forward: await reader.goForward()
        case .close: await reader.close()
        case .retry: await reader.retry()
        case .link(let address, let isFromDocument):
            await follow(address, from: isFromDocument ? id : nil)
        case .video(let address, let title):
            guard let path = path(of: address, in: id), SurfaceMediaType.of(path).hasPrefix("video/") else {
                return
            }
            show(.video(path: path, title: title))
        case .closeVideo, .leave, .stay, .scrolled: break
        }
    }

    private func answer(_ event: HubViewEvent, _ shown: HubScreen.Overlay, from id: Int) async {
        switch (event, shown) {
        case (.leave, .leave(let address)):
            overlay = nil
            await send(SurfaceMessage.Kind.navigate, ["url": .string(address)], to: id)
            await reader.leave(for: address)
        case (.stay, .leave), (.closeVideo, .video): overlay = nil
        case (.close, _):
            overlay = nil
            await reader.close()
        default: break
        }
    }

    private func show(_ overlay: HubScreen.Overlay) {
        guard let screen else { return }
        self.overlay = overlay
        overlayPlace = screen.place
    }

    /// A document's link to a file beside it comes as an address of the host; only a page of the version is
    /// a place to go to.
    private func follow(_ address: String, from view: Int?) async {
        if let view, let path = path(of: address, in: view) {
            guard let page = reader.index?.page(at: path) else { return }
            return await follow(page.reference.uri, from: nil)
        }
        switch await reader.follow(address) {
        case .ask(let address): show(.leave(address: address))
        case .refuse: log("hub: a link was refused: \(address.prefix(200))")
        case .content, .app: break
        }
    }

    /// The path of a file in the content, when the address is one that this view gave to its page.
    private func path(of address: String, in view: Int) -> String? {
        guard let prefix = views[view]?.link.content, let start = address.range(of: prefix)?.upperBound else {
            return nil
        }
        let path = address[start...].prefix { $0 != "?" && $0 != "#" }
        return String(path).removingPercentEncoding
    }
}

/// One view that shows a hub: how its device is set, and what it shows.
private struct HubViewPort: Sendable {
    let link: SurfaceLink
    /// Asks for another drawing.
    let redraw: AsyncStream<Void>.Continuation
    var environment: SurfaceEnvironment
    /// What the page shows now; `nil` before the first drawing and after the page was loaded anew.
    var frame: SurfaceFrame?

    init(link: SurfaceLink, redraw: AsyncStream<Void>.Continuation) {
        self.link = link
        self.redraw = redraw
        environment = link.environment
    }
}
