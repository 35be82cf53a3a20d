public import Foundation
@_spi(Inlay) public import InlayHubView
@_spi(Inlay) public import InlaySurface
import InlayCore
@_spi(Inlay) package import InlayWire

/// A hub on screen, which shows its presentation and handles the reader's events.
///
/// Several views may show it at once; they share page, history and overlay, and each has its own colour scheme,
/// language and text size.
public actor HubSurface: Surface, FrameSurface {
    /// `hub/` and the name of the hub's place in the app.
    public nonisolated let name: String
    public nonisolated let assets = SurfaceAssets.hub
    nonisolated let reader: any HubReader
    private let renderer: SurfaceRenderer
    private let now: @Sendable () -> Timestamp
    private let write: @Sendable (String) -> Void

    private var screen: HubScreen?
    private var overlay: HubScreen.Overlay?
    package var views = SurfaceViews(state: ())
    /// The number of the page to which the open question or video belongs.
    private var overlayPlace: Int?

    /// A surface for a hub that was presented.
    ///
    /// - Parameters:
    ///   - appearance: texts, colours and type of the app's own; without it that of the hub's settings.
    /// - Throws: `SurfaceRenderer.Failure` when the module's resources are missing.
    public init(_ presentation: HubPresentation, name: String = "hub", appearance: HubAppearance? = nil)
        throws
    {
        let session = presentation.source.session
        try self.init(
            name: name, reader: HubPresentationReader(presentation, appearance: appearance),
            now: { session.serverClock.now() }, log: { session.log.operation($0) })
    }

    /// A surface for a content version whose files lie in a folder, for authors: nothing is verified.
    ///
    /// - Parameters:
    ///   - status: shown in place of any page, to see how it looks.
    ///   - outcome: called with links to the app, and with links that the reader agreed to leave for.
    /// - Throws: when the folder has no readable `index.json`.
    @_spi(Inlay) public init(
        previewing folder: URL, name: String = "hub", appearance: HubAppearance = HubAppearance(),
        access: HubAccess = HubAccess(contentSource: .localOnly, allowed: HubAllowList()),
        status: HubScreen.Body? = nil,
        outcome: @escaping @Sendable (HubPresentation.LinkDecision) -> Void = { _ in }
    ) throws {
        let reader = try HubFolderReader(
            folder, appearance: appearance, access: access, status: status, publish: outcome)
        try self.init(name: name, reader: reader, now: { SystemClock().now() })
    }

    /// Creates a surface for any data source.
    ///
    /// - Throws: `SurfaceRenderer.Failure` when the module's resources are missing.
    package init(
        name: String = "hub", reader: any HubReader, now: @escaping @Sendable () -> Timestamp,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        self.name = name
        self.reader = reader
        self.now = now
        write = log
        renderer = try assets.renderer()
    }

    /// Serves one view until its events end or the task is cancelled.
    public func run(_ link: SurfaceLink) async {
        await serve(link) { _ in await self.reader.watch { await self.take($0) } }
    }

    /// Returns a file of the version that is shown; documents come with the rules of their frame.
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

    /// Returns a style sheet that loads listed addresses from its host, as documents do.
    private nonisolated func sheet(_ data: Data, _ path: String, _ access: HubAccess) -> Data {
        guard path.hasSuffix(".css"), !access.addresses.isEmpty else { return data }
        let top = String(repeating: "../", count: path.pathParts.count - 1)
        return Data(OutsideAddresses(access.addresses, prefix: top).rewritten([UInt8](data)))
    }

    // MARK: Views

    package func frame(for view: SurfaceViews<Void>.View) throws -> SurfaceFrame? {
        guard var screen else { return nil }
        screen.overlay = overlay
        return try HubPresenter.present(
            screen, reader.appearance, environment: view.environment, content: view.link.content, now: now()
        ).frame(renderer)
    }

    /// Removes the overlay: the next view starts with the page.
    package func lastViewClosed() { overlay = nil }

    package func log(_ text: String) { write(text) }

    private func take(_ screen: HubScreen) {
        if overlayPlace != screen.place { overlay = nil }
        self.screen = screen
        views.redraw()
    }
}

// MARK: - Events

extension HubSurface {
    package func act(on message: SurfaceMessage, from id: SurfaceViewID) async -> FrameSurfaceRedraw {
        guard let event = HubViewEvent(message) else { return .none }
        if case .scrolled(let top) = event {
            await reader.scrolled(to: top)
            return .none
        }
        await act(on: event, from: id)
        return .all
    }

    private func act(on event: HubViewEvent, from id: SurfaceViewID) async {
        // An overlay answers first; an event of the page below it comes from an outdated view.
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

    private func answer(_ event: HubViewEvent, _ shown: HubScreen.Overlay, from id: SurfaceViewID) async {
        switch (event, shown) {
        case (.leave, .leave(let address)):
            overlay = nil
            await navigate(to: address, in: id)
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

    /// Follows a link. A document's link to a file beside it arrives as an address of the host, and leads somewhere
    /// only when the file is a page of the version.
    private func follow(_ address: String, from view: SurfaceViewID?) async {
        if let view, let path = path(of: address, in: view) {
            guard let page = reader.index?.page(at: path) else { return }
            return await follow(page.reference.uri, from: nil)
        }
        switch await reader.follow(address) {
        case .ask(let address): show(.leave(address: address))
        case .refuse: log("hub: a link was refused: \(address.prefix(scalars: 200))")
        case .content, .app: break
        }
    }

    /// Returns the path of a file in the content when the address is one that this view gave to its page; else `nil`.
    private func path(of address: String, in view: SurfaceViewID) -> String? {
        guard let prefix = views[view]?.link.content, let start = address.range(of: prefix)?.upperBound else {
            return nil
        }
        let path = address[start...].prefix { $0 != "?" && $0 != "#" }
        return String(path).removingPercentEncoding
    }
}
