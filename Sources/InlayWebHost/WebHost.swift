public import Foundation
@_spi(Inlay) public import InlayCore
@_spi(Inlay) public import InlaySurface
@_spi(Inlay) import InlayWire

/// A host that shows one surface in one web view of the platform.
///
/// It contains all rules; an adapter for a platform only translates calls.
@_spi(Inlay) @MainActor public final class WebHost {
    /// The scheme of all URLs that the page loads. A view forwards requests for them to ``reply(to:)``.
    public nonisolated static let scheme = "inlay"
    /// The origin of all URLs that the page loads.
    public nonisolated static let origin = "\(scheme)://surface"
    /// The name of the message handler that a view adds to its page.
    public nonisolated static let messageHandler = "inlay"

    /// The maximum delay before a page is loaded again. Once a page was shown for longer, earlier failures do not
    /// count.
    private static let maximumWait: Duration = .seconds(60)
    /// The maximum time until a page sends its first message; after that it is loaded again.
    private static let maximumLoad: Duration = .seconds(60)
    /// The maximum height, in pixels; greater values are ignored.
    private static let maximumHeight: Int64 = 1_000_000

    /// The view; set it before ``start()``.
    public weak var view: (any WebView)?

    let pages: SurfacePages
    private let limits: PageLimits
    private let surface: any Surface
    private let clock: any SessionClock
    /// The token that the script of the loaded page has.
    private var token = AccessToken()
    private var budget: MessageBudget
    /// The budget for messages without the token, which come only from frames and from previous pages.
    private var budgetWithoutToken: MessageBudget
    /// The targets of the documents that frames may show.
    private var documents: Set<SurfaceRequestTarget> = []
    private var inbox: PageInbox?
    /// The number of the current run, by which messages of previous runs are recognized and dropped.
    private var runNumber = 0
    private var run: Task<Void, Never>?
    private var loading: Task<Void, Never>?
    private var restart: Task<Void, Never>?
    private var failures = 0
    private var loadedAt: Timestamp
    private var height: Int64?
    private var isEnded = false

    /// Creates a host for a surface.
    ///
    /// - Parameters:
    ///   - title: The page's title until the surface sets its own.
    ///   - media: The source of images and fonts; without it a page shows none.
    public init(
        _ surface: any Surface, title: String = "", limits: PageLimits = PageLimits(),
        media: WebContent.Loader? = nil, clock: any SessionClock = SystemClock()
    ) {
        self.surface = surface
        self.limits = limits
        self.clock = clock
        loadedAt = clock.now()
        budget = MessageBudget(perSecond: limits.messagesPerSecond)
        budgetWithoutToken = budget
        pages = SurfacePages(surfaces: [surface.name: surface], title: title, media: media)
    }

    isolated deinit { end() }

    /// The name of the surface.
    public var surfaceName: String { surface.name }

    /// The URL of the page.
    public var address: URL {
        let text = Self.origin + pages.addresses.page(of: surface.name)
        guard let url = URL(string: text) else { preconditionFailure("not an address: \(text)") }
        return url
    }

    /// Loads the page.
    ///
    /// - Throws: When the script of this module cannot be read.
    public func start() throws {
        _ = try Self.bridge.get()
        guard !isEnded else { return }
        load()
    }

    /// Ends the run of the surface for good; the page stays visible.
    public func end() {
        isEnded = true
        restart?.cancel()
        disconnect()
    }

    // MARK: - Reports of the view

    /// The maximum size of a message with its token, in bytes of UTF-8. A view that knows the size first must not
    /// forward a larger one, but call ``receivedTooMuch()``.
    public var maximumMessageBytes: Int { token.text.utf8.count + limits.maximumMessageBytes }

    /// Handles a message, of the page or of a frame, that exceeds ``maximumMessageBytes``.
    public func receivedTooMuch() { received("") }

    /// Handles a message of the page or of a frame in it. Only the page knows the token.
    public func received(_ text: String) {
        // Until the next page is loaded, messages of the previous one are ignored.
        guard !isEnded, restart == nil else { return }
        do throws(PageInbox.Fault) {
            guard let message = Self.message(text, after: token) else {
                guard budgetWithoutToken.spend() else { throw .flood }
                return
            }
            guard budget.spend() else { throw .flood }
            try receive(Data(message.utf8))
        } catch {
            failed()
        }
    }

    /// Returns the reply to a request of the page or of a frame in it.
    public func reply(to request: WebRequest) async -> WebReply {
        let target = pages.addresses.target(of: request.target)
        var reply = await pages.reply(to: request, for: target)
        if reply.isDocument { documents.insert(target) }
        if request.method == "HEAD" { reply.body = Data() }
        return reply
    }

    /// Whether the view may start to load a URL, for the page or for a frame in it.
    public func mayLoad(_ address: URL) -> Bool {
        if address.absoluteString == "about:srcdoc" { return true }
        switch target(of: address) {
        case .page, .content: return true
        default: return false
        }
    }

    /// Whether the view may show a loaded URL: in the view itself only the page, in frames only documents of the
    /// content.
    public func mayShow(_ address: URL, inMainFrame: Bool) -> Bool {
        if address.absoluteString == "about:srcdoc" { return !inMainFrame }
        let target = target(of: address)
        // Another file that is shown as a document would be a document without the host's script.
        return inMainFrame ? target == .page(surface: surface.name) : documents.contains(target)
    }

    /// Opens a URL outside of the app, for a window that the user requested; ignores a URL that is not one of the web.
    public func openOutside(_ address: String) {
        guard case .address(let checked)? = LinkTarget(address), let url = WebAddress.link(checked) else {
            return
        }
        view?.open(url)
    }

    /// Loads the page again after the end of its process; the surface keeps its state.
    public func processEnded() {
        guard !isEnded else { return }
        failed()
    }

    private func target(of address: URL) -> SurfaceRequestTarget {
        let text = address.absoluteString
        guard text.hasPrefix(Self.origin + "/") else { return .nothing }
        return pages.addresses.target(of: String(text.dropFirst(Self.origin.count).prefix { $0 != "#" }))
    }

    // MARK: - The page

    private func load() {
        disconnect()
        height = nil
        documents = []
        token = AccessToken()
        budget = MessageBudget(perSecond: limits.messagesPerSecond)
        budgetWithoutToken = budget
        loadedAt = clock.now()
        guard let bridge = try? Self.bridge.get() else { return }
        view?.load(address, script: "(\(bridge))(\"\(token.text)\");")
        // Ended by `disconnect`, when the page is ready or closed.
        loading = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: Self.maximumLoad)) != nil else { return }
            self?.failed()
        }
    }

    /// Loads the page again: at once after the first failure, then after delays that double each time.
    private func failed() {
        disconnect()
        guard !isEnded, restart == nil else { return }
        if clock.now() - loadedAt > Self.maximumWait { failures = 0 }
        failures += 1
        let wait =
            failures == 1 ? Duration.zero : min(.seconds(1) * (1 << min(failures - 2, 6)), Self.maximumWait)
        // Ends with the next load, or by `end`.
        restart = Task { [weak self, clock] in
            if wait > .zero, (try? await clock.sleep(for: wait)) == nil { return }
            guard !Task.isCancelled else { return }
            self?.restart = nil
            self?.load()
        }
    }

    private func resized(_ payload: JSONValue) {
        guard case .integer(let new)? = payload["height"], (0...Self.maximumHeight).contains(new),
            new != height
        else { return }
        height = new
        view?.contentHeightChanged(Int(new))
    }

    // MARK: - The run of the surface

    private func receive(_ data: Data) throws(PageInbox.Fault) {
        let received = try PageInbox.read(data, of: surface.name, limits: limits)
        // The page starts, for the first time or after the user reloaded it. Messages before that are dropped.
        if received.kind == SurfaceMessage.Kind.ready { connect() }
        if received.kind == SurfaceMessage.Kind.size { return resized(received.payload) }
        try inbox?.forward(received)
    }

    private func connect() {
        disconnect()
        let inbox = PageInbox()
        self.inbox = inbox
        let (surface, messages, number) = (surface, inbox.messages, runNumber)
        let content = pages.addresses.content(of: surface.name)
        // Ends with the surface, or by `disconnect` when the page is closed.
        run = Task { [weak self] in
            guard let environment = await messages.environment() else { return }
            let link = SurfaceLink(events: messages, environment: environment, content: content) {
                [weak self] message in
                await self?.send(message, ofRun: number)
            }
            await surface.run(link)
            self?.ended(run: number)
        }
    }

    private func disconnect() {
        loading?.cancel()
        runNumber += 1
        inbox?.finish()
        inbox = nil
        run?.cancel()
        run = nil
    }

    private func ended(run number: Int) {
        guard number == runNumber else { return }
        failed()
    }

    private func send(_ message: SurfaceMessage, ofRun number: Int) {
        guard number == runNumber, let data = try? JSONEncoder().encode(message),
            let literal = try? JSONEncoder().encode(String(decoding: data, as: UTF8.self))
        else { return }
        view?.run("inlayReceive(\(String(decoding: literal, as: UTF8.self)))")
    }

    private static func message(_ text: String, after token: AccessToken) -> Substring? {
        let (start, rest) = (text.prefix(token.text.count), text.dropFirst(token.text.count))
        return token.matches(start) ? rest : nil
    }

    private static let bridge = Result {
        guard let file = Bundle.module.url(forResource: "web-view-bridge", withExtension: "js") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try String(contentsOf: file, encoding: .utf8)
    }
}
