public import InlayCore
@_spi(Inlay) import InlayWire

extension InlaySession {
    /// The content hub of this session.
    public var hub: Hub { Hub(feature(HubEngine.self) { HubEngine($0) }) }
}

/// The content hub: signed pages that a team publishes, chosen and ordered for the reader on the device.
///
/// ```swift
/// try session.hub.start(HubConfiguration(source: "harbor", trust: .root(root)))
/// if try session.hub.users.active == nil {
///     let id = HubUsers.makeID()
///     try session.hub.users.create(id, tags: ["sailing"])
///     try session.hub.users.setActive(id)
/// }
/// let presentation = try session.hub.present()
/// ```
/// Content is kept on disk and shown at once, also offline. What comes from the server is shown only after
/// it was verified as a whole, and every file is verified again when it is handed out.
public struct Hub: Sendable {
    let engine: HubEngine

    init(_ engine: HubEngine) { self.engine = engine }

    /// Starts the hub of this session: opens the content on disk and looks for a newer version.
    ///
    /// Returns at once, whatever the network does. Once per session: a second call changes nothing.
    public func start(_ configuration: HubConfiguration) throws(HubError) {
        try engine.start(configuration)
    }

    /// The readers on this device and their tags; works before `start` too.
    public var users: HubUsers { engine.users }

    /// The hub's log.
    public var log: HubLog { engine.log }

    /// The current state of the hub.
    public var state: HubState { engine.stateObservers.current }

    /// The state now and every change; a slow observer skips some and always gets the newest. Ends at
    /// log-out.
    public var states: AsyncStream<HubState> { engine.stateObservers.observeStates() }

    /// The events from now on, in order. An observer that does not read keeps its newest 1,024 events.
    public var events: AsyncStream<HubEvent> { engine.stateObservers.observeEvents() }

    /// The settings. A change applies at once, or to the next presentation where a setting says so.
    public var settings: HubSettings {
        get { engine.settings.withLock { $0 } }
        nonmutating set { engine.settings.withLock { $0 = newValue } }
    }

    /// The rules for requests of pages and for links.
    @_spi(Inlay) public var access: HubAccess { get throws(HubError) { try engine.source.access } }

    /// The version that the next presentation shows.
    ///
    /// - Throws: `noContent` while there is none, `disabled`, `stale`.
    public var content: HubContent { get throws(HubError) { try engine.source.usableContent() } }

    /// Looks for a newer version now; returns when it is in use, or there is none.
    @discardableResult
    public func update() async throws(HubError) -> HubContent { try await engine.source.update().get() }

    /// Shows the hub that fits the active user best.
    ///
    /// - Throws: `disabled`, `alreadyDisplayed`, `noHub`, `notStarted`. While there is no content the hub
    ///   shows what it waits for; `shown()` of the presentation reports how that ends.
    public func present(as form: HubPresentation.Form = .modal) throws(HubError) -> HubPresentation {
        try present(.user, as: form)
    }

    /// Shows the hub that fits these tags best, in place of the user's; the user keeps its own. `nil` and
    /// no tags at all mean the user's.
    public func present(
        tags: [String]?, as form: HubPresentation.Form = .modal
    ) throws(HubError) -> HubPresentation {
        guard let tags, !tags.isEmpty else { return try present(.user, as: form) }
        return try present(.tags(tags), as: form)
    }

    /// Shows the hub, channel or article that an address such as `hub:article/first-ferry` names.
    ///
    /// - Throws: `unknownAddress` when the version has no such page.
    public func present(
        uri: String, as form: HubPresentation.Form = .modal
    ) throws(HubError) -> HubPresentation {
        guard HubReference(uri: uri) != nil else { throw .unknownAddress(uri) }
        return try present(.uri(uri), as: form)
    }

    /// Shows a dismissed hub again, where the reader was, with the newest content.
    public func present(again presentation: HubPresentation) throws(HubError) {
        try engine.source.enter(presentation)
    }

    /// The presentation on screen; `nil` when there is none.
    public var presentation: HubPresentation? { (try? engine.source)?.presentationSlot.current }

    private func present(
        _ request: HubRequest, as form: HubPresentation.Form
    ) throws(HubError) -> HubPresentation {
        try engine.source.present(request, form: form)
    }
}
