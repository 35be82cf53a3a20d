import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayHub
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
@testable import InlayZBiM
import Testing

/// All tests of the facade: it holds one session for the whole process, so they run one after another.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ZBiMTests {}

/// The facade's services in a test: a scripted server, a publisher with its own keys, and the app's resources.
@MainActor final class ZBiMFixture {
    static let noon = Timestamp(seconds: 2_000_000_000)
    static let config = [
        "dbServiceUrl": "https://hub.test/v1/hub/env/harbor", "applID": "77", "metricsReportingQueueId": "q1",
    ]

    let server = ScriptedTransport()
    let clock = ManualClock(at: ZBiMFixture.noon)
    let folder: TemporaryFolder
    let resources: TemporaryFolder
    let publisher: TestPublisher
    let posts = Posts()
    let opened = Locked<[String]>([])
    let scheduled = Locked<[UILocalNotification]>([])
    let questions = Locked<[String]>([])
    let answer = Locked(true)
    private var services = ZBiMServices()

    /// Gives the facade new services. The resources contain `config` and, by default, a public key.
    init(
        config: [String: String]? = ZBiMFixture.config, key: Bool = true, schemes: [String] = ["aa", "bb"],
        after earlier: ZBiMFixture? = nil, _ change: (inout ZBiMServices) -> Void = { _ in }
    ) throws {
        folder = try earlier?.folder ?? TemporaryFolder()
        resources = try earlier?.resources ?? TemporaryFolder()
        publisher = try earlier?.publisher ?? TestPublisher()
        server.always(InlayPath.analytics, .receipts)
        if let config {
            let data = try PropertyListSerialization.data(fromPropertyList: config, format: .xml, options: 0)
            try data.write(to: resources.url.appendingPathComponent("zbimconfig.plist"))
        }
        if key {
            try publisher.rootDER(.ed25519)?.write(to: resources.url.appendingPathComponent("pubkey.der"))
        }
        services.transport = server
        services.clock = clock
        services.folder = folder.url
        services.resources = resources.url
        services.schemes = { schemes }
        let (opened, scheduled, questions, answer) = (opened, scheduled, questions, answer)
        services.open = { address in opened.withLock { $0.append(address) } }
        services.schedule = { one in scheduled.withLock { $0.append(one) } }
        services.ask = { message in
            questions.withLock { $0.append(message) }
            return answer.withLock { $0 }
        }
        change(&services)
        ZBiMRuntime.shared.use(services)
        ZBiM.setStatusUIDelegate(nil)
    }

    /// Gives the facade the same services again, as after a restart of the app.
    func restart() { ZBiMRuntime.shared.use(services) }

    func publish(_ source: TestSource) throws {
        try publisher.publish(source, now: Self.noon)
        publisher.serve(on: server)
    }

    /// Publishes `source`, starts the hub, and returns once it is ready.
    func ready(_ source: TestSource = .harbor(1)) async throws {
        try publish(source)
        ZBiM.start()
        try await eventually { ZBiM.isReady() && !ZBiM.isDownloadingContent() }
    }

    /// Starts an update, and returns once this version is in use.
    func update(to version: Int64) async throws {
        ZBiM.refreshContentSource()
        try await eventually {
            ZBiMRuntime.shared.session?.hub.state.version == version && !ZBiM.isDownloadingContent()
        }
    }

    func activate(_ id: String, tags: [String]? = nil) throws {
        try ZBiM.createUser(id, withTags: tags)
        try ZBiM.setActiveUser(id)
    }

    /// Returns the arguments of a presentation's completion; records an issue if the completion is not called.
    func completion(of body: (@escaping ZBiM.Completion) -> Void) async -> (success: Bool, error: NSError?) {
        let end = Locked<(success: Bool, error: NSError?)?>(nil)
        body { success, error in end.withLock { $0 = $0 ?? (success, error) } }
        do {
            try await eventually { end.withLock { $0 != nil } }
        } catch {
            Issue.record(error)
        }
        return end.withLock { $0 } ?? (false, nil)
    }

    /// Presents a nested hub, and returns it once one of its pages is on screen.
    func presented() async throws -> any ZBiMContentHubDelegate {
        var hub: (any ZBiMContentHubDelegate)?
        let end = await completion { completion in
            hub = ZBiM.presentHub(
                withParentView: UIView(), parentViewController: nil, completion: completion)
        }
        try #require(end.success, "\(String(describing: end.error))")
        return try #require(hub)
    }

    /// Waits until the facade has handled all events so far. It handles them in order, so this follows an external link
    /// and waits for its event. Needs content that can be shown.
    func settled() async throws {
        let hub = try await presented()
        let address = "https://settled.test/\(opened.withLock { $0.count })"
        presentation?.leave(for: address)
        try await eventually { opened.withLock { $0.contains(address) } }
        try hub.dismiss()
    }

    /// The URI of the page on screen.
    var page: String? { ZBiMRuntime.shared.session?.hub.presentation?.page?.uri }

    var presentation: HubPresentation? { ZBiMRuntime.shared.session?.hub.presentation }

    var contentRequests: [String] { server.requests.map(\.url.path).filter { $0.hasPrefix("/v1/hub/") } }

    func metrics() async throws -> [AnalyticsEvent] {
        let session = try #require(ZBiMRuntime.shared.session)
        _ = await session.outbox.flush(lane: "hub-metrics")
        return try server.requests(InlayPath.analytics).flatMap { request in
            try JSONDecoder().decode(Batch<AnalyticsEvent>.self, from: request.body ?? Data()).items
        }
    }
}

/// The posted notifications, with the values of the getters at the time of posting.
@MainActor final class Posts {
    struct Post {
        var name: Notification.Name
        var info: [String: Any]
        var flags: [Bool]
    }

    private(set) var all: [Post] = []
    // Written by `init` alone, read by `deinit`.
    private nonisolated(unsafe) var tokens: [any NSObjectProtocol] = []

    init() {
        let names: [Notification.Name] = [
            .ZBiMDBDownloadProgressChanged, .ZBiMDownloadingContentStateChanged,
            .ZBiMDisplayingContentHubStateChanged, .ZBiMReadyStateChanged, .ZBiMDisabledStateChanged,
            .ZBiMContentTypeChanged,
        ]
        for name in names {
            tokens.append(
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                    [weak self] post in
                    nonisolated(unsafe) let info = (post.userInfo as? [String: Any]) ?? [:]
                    // The facade posts on the main thread.
                    MainActor.assumeIsolated { self?.record(name, info) }
                })
        }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    func named(_ name: Notification.Name) -> [Post] { all.filter { $0.name == name } }

    private func record(_ name: Notification.Name, _ info: [String: Any]) {
        all.append(
            Post(
                name: name, info: info,
                flags: [
                    ZBiM.isDownloadingContent(), ZBiM.isDisplayingContentHub(), ZBiM.isReady(),
                    ZBiM.isDisabled(),
                ]))
    }
}
