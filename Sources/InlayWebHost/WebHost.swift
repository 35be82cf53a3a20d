public import Foundation
@_spi(Inlay) public import InlayCore
@_spi(Inlay) public import InlaySurface
@_spi(Inlay) import InlayWire

/// Shows one surface in one web view of the platform.
///
/// All rules of a host are here; an adapter for a platform translates calls.
@_spi(Inlay) @MainActor public final class WebHost {
    /// The scheme of all addresses that the page loads. A view gives its requests to ``reply(to:)``.
    public nonisolated static let scheme = "inlay"
    /// The origin of all addresses that the page loads.
    public nonisolated static let origin = "\(scheme)://surface"
    /// The name of the message handler that a view adds to its page.
    public nonisolated static let messageHandler = "inlay"

    /// The longest wait before a page is loaded again. The failures before a page that was shown for longer do not count.
    private static let maximumWait: Duration = .seconds(60)
    /// The longest time until a page sends its first message; then it is loaded again.
    private static let maximumLoad: Duration = .seconds(60)
    /// A height above this is ignored.
    private static let maximumHeight: Int64 = 1_000_000

    /// The view; set it before ``start()``.
    public weak var view: (any WebView)?

    let pages: SurfacePages
    private let limits: PageLimits
    private let surface: any Surface
    private let clock: any SessionClock
    /// The token that the script of the loaded page has.
    private var token = Secret()
    private var budget: MessageBudget
    /// For messages without the token, which only frames and former pages send.
    private var strangersBudget: MessageBudget
    /// The places of the documents that frames may show.
    private var documents: Set<SurfaceRequestTarget> = []
    private var inbox: PageInbox?
    /// Counts runs, so that a former run cannot write into the page.
    private var runNumber = 0
    private var run: Task<Void, Never>?
    private var loading: Task<Void, Never>?
    private var restart: Task<Void, Never>?
    private var failures = 0
    private var loadedAt: Timestamp
    private var height: Int64?
    private var isEnded = false

    /// A host for a surface.
    ///
    /// - Parameters:
    ///   - title: The page's title until the surface sets its own.
    ///   - media: Where pictures and fonts come from; without it a page has none.
    public init(
        _ surface: any Surface, title: String = "", limits: PageLimits = PageLimits(),
        media: WebContent.Loader? = nil, clock: any SessionClock = SystemClock()
    ) {
        self.surface = surface
        self.limits = limits
        self.clock = clock
        loadedAt = clock.now()
        budget = MessageBudget(perSecond: limits.messagesPerSecond)
        strangersBudget = budget
        pages = SurfacePages(surfaces: [surface.name: surface], title: title, media: media)
    }

    isolated deinit { end() }

    /// The name of the surface.
    public var surfaceName: String { surface.name }

    /// The address of the page.
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

    /// Ends the run of the surface, for good; the page stays as it is.
    public func end() {
        isEnded = true
        restart?.cancel()
        disconnect()
    }

    // MARK: - Reports of the view

    /// The size of the largest message, in bytes of UTF-8; a view that has the size first does not pass on a larger one.
    public var maximumMessageBytes: Int { token.text.utf8.count + limits.maximumMessageBytes }

    /// The page, or a frame in it, has sent a message that is too large.
    public func receivedTooMuch() { received("") }

    /// A message of the page or of a frame in it. Only the page knows the token.
    public func received(_ text: String) {
        // Until the next page is loaded, the messages of the one before are ignored.
        guard !isEnded, restart == nil else { return }
        do throws(PageInbox.Fault) {
            guard let message = Self.message(text, after: token) else {
                guard strangersBudget.spend() else { throw .flood }
                return
            }
            guard budget.spend() else { throw .flood }
            try receive(Data(message.utf8))
        } catch {
            failed()
        }
    }

    /// The answer to a request of the page or a frame in it.
    public func reply(to request: WebRequest) async -> WebReply {
        let place = pages.addresses.place(of: request.target)
        var reply = await pages.reply(to: request, at: place)
        if reply.isDocument { documents.insert(place) }
        if request.method == "HEAD" { reply.body = Data() }
        return reply
    }

    /// Whether the view may begin to load an address, for the page or for a frame in it.
    public func mayLoad(_ address: URL) -> Bool {
        if address.absoluteString == "about:srcdoc" { return true }
        switch place(of: address) {
        case .page, .content: return true
        default: return false
        }
    }

    /// Whether the view may show what it has loaded: the page in the view itself, documents of the content in frames.
    public func mayShow(_ address: URL, inMainFrame: Bool) -> Bool {
        if address.absoluteString == "about:srcdoc" { return !inMainFrame }
        let place = place(of: address)
        // A picture or a text that is shown as a document would be a document without the host's script.
        return inMainFrame ? place == .page(surface: surface.name) : documents.contains(place)
    }

    /// The user asked for a window with this address, which opens outside when it is one of the web.
    public func openOutside(_ address: String) {
        guard case .address(let checked)? = LinkTarget(address), let url = WebAddress.link(checked) else {
            return
        }
        view?.open(url)
    }

    /// The process that ran the page has ended. The page is loaded again; the surface keeps its state.
    public func processEnded() {
        guard !isEnded else { return }
        failed()
    }

    private func place(of address: URL) -> SurfaceRequestTarget {
        let text = address.absoluteString
        guard text.hasPrefix(Self.origin + "/") else { return .nothing }
        return pages.addresses.place(of: String(text.dropFirst(Self.origin.count).prefix { $0 != "#" }))
    }

    // MARK: - The page

    private func load() {
        disconnect()
        height = nil
        documents = []
        token = Secret()
        budget = MessageBudget(perSecond: limits.messagesPerSecond)
        strangersBudget = budget
        loadedAt = clock.now()
        guard let bridge = try? Self.bridge.get() else { return }
        view?.load(address, script: "(\(bridge))(\"\(token.text)\");")
        // Ends when the page is ready or gone: `disconnect`.
        loading = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: Self.maximumLoad)) != nil else { return }
            self?.failed()
        }
    }

    /// Loads the page again, at once the first time and then after waits that double.
    private func failed() {
        disconnect()
        guard !isEnded, restart == nil else { return }
        if clock.now() - loadedAt > Self.maximumWait { failures = 0 }
        failures += 1
        let wait =
            failures == 1 ? Duration.zero : min(.seconds(1) * (1 << min(failures - 2, 6)), Self.maximumWait)
        // Ends with the next load, or with the host: `end`.
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
        // The page begins: for the first time, or anew after the user's reload. Before that it has no run to speak to.
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
        // Ends with the surface, or when the page is gone: `disconnect`.
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

    private static func message(_ text: String, after token: Secret) -> Substring? {
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
