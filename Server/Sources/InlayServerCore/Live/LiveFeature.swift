import Foundation
import Hummingbird
import InlaySQL
@_spi(Inlay) import InlayWire
import Logging
import Metrics
import NIOConcurrencyHelpers
import NIOCore
import ServiceLifecycle

/// The sockets of apps: their limits, their periodic checks, and the changes from other nodes.
package struct LiveFeature: ServerFeature {
    let now: @Sendable () -> Timestamp
    let hub: LiveHub
    var rules = LiveRules()
    private let maximumPerUser: Int
    private let logger: Logger
    private let database: any SQLDatabase
    private let limiter: RateLimiter
    private let open: Meter
    private let peers = NIOLockedValueBox(LivePeers())

    package init(_ services: ServerServices) {
        now = services.now
        hub = services.live
        maximumPerUser = services.configuration.socketsPerUser
        logger = services.logger
        database = services.database
        limiter = services.limiter
        open = Meter(label: "inlay_sockets_open", dimensions: [], factory: services.metrics)
    }

    package var metrics: [MetricDescription] { [.init("inlay_sockets_open", "Sockets open now.")] }

    package func addRoutes(to routes: ServerRoutes) {
        // Reached when a request for the socket is not an upgrade, or when its upgrade was refused: the gate
        // before it then says why.
        routes.client.get("socket") { _, _ -> Response in
            throw Refusal(
                Problem(
                    .upgradeRequired, status: 426, title: "This address speaks WebSocket.",
                    detail: "Send Upgrade: websocket and Sec-WebSocket-Version: 13."),
                headers: [.upgrade: "websocket"])
        }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                // Each of these ends when the group is cancelled, at the server's shutdown.
                group.addTask { await followNodes() }
                group.addTask { for await _ in TimerSequence(every: rules.round) { checkSockets() } }
                group.addTask {
                    await hub.sendPresence()
                    for await _ in TimerSequence(every: LivePeers.interval) {
                        await hub.sendPresence()
                        await checkPeers()
                    }
                }
            }
        }
        await hub.sendPresence(isLeaving: true)
    }

    /// Checks every socket of this node.
    func checkSockets() {
        let moment = now()
        for socket in hub.registry.all { socket.check(at: moment, rules: rules) }
        open.set(hub.registry.count)
    }

    /// Sends the current versions again when another node has fallen silent, since some of its changes may be missing.
    func checkPeers() async {
        let moment = now()
        if peers.withLockedValue({ $0.forgetSilent(at: moment) }) { await hub.republish() }
    }

    private func followNodes() async {
        for await payload in database.notifications(LiveHub.channel) {
            // An empty payload means that some were lost: all sockets get the current versions.
            guard !payload.isEmpty else {
                await hub.republish()
                continue
            }
            guard let envelope = try? JSONDecoder().decode(LiveEnvelope.self, from: Data(payload.utf8)),
                envelope.node != hub.nodeID
            else { continue }
            hub.deliver(envelope.changes)
            let moment = now()
            if peers.withLockedValue({ $0.record(envelope, at: moment) }) { await hub.republish() }
        }
    }

    func opened(_ socket: LiveSocket) {
        for oldest in hub.registry.add(socket, maximum: maximumPerUser) { oldest.close(.policyViolation) }
    }

    func closed(_ socket: LiveSocket) { hub.registry.remove(socket) }

    func areAllowed(_ topics: [String]) -> Bool {
        topics.count <= rules.maximumTopics
            && topics.allSatisfy { (1...rules.maximumTopicLength).contains($0.unicodeScalars.count) }
    }

    /// Whether the user may subscribe: each subscription looks its topics up, so it counts as a request of the user.
    func maySubscribe(_ identity: ClientIdentity) -> Bool {
        (try? limiter.spend(.user(environment: identity.environmentID, identity.userID.rawValue))) != nil
    }

    /// Subscribes first and looks versions up after it: a change in between is sent twice, never not at all.
    func subscribe(_ socket: LiveSocket, to topics: [String]) {
        hub.registry.subscribe(socket, to: Set(topics))
        let hub = hub
        // Ends by itself after one look-up for each topic; the socket's close does not wait for it.
        let wanted = Set(topics.map { LiveTopic(socket.identity, $0) })
        socket.eventLoop.makeFutureWithTask { await hub.versions(of: wanted) }
            .whenSuccess { versions in
                for (topic, version) in versions {
                    guard let text = LiveText.encode(.changed(topic: topic.topic, version: version)) else {
                        continue
                    }
                    socket.send(text)
                }
            }
    }
}

/// The other nodes, as their messages show them.
///
/// A node sends the others a message every few seconds, and another when it leaves. One that falls silent may have
/// ended between a commit and its message; one that lost a message says so in its next.
struct LivePeers: Sendable {
    /// The time between two messages that only say that a node is there.
    static let interval = Duration.seconds(5)
    /// The silence after which a node counts as ended.
    static let silenceLimit = Duration.seconds(15)

    private var lastHeardAt: [String: Timestamp] = [:]

    /// Notes a message. Returns whether this node's sockets may have missed something.
    mutating func record(_ envelope: LiveEnvelope, at moment: Timestamp) -> Bool {
        lastHeardAt[envelope.node] = envelope.isLeaving == true ? nil : moment
        return envelope.hasLost == true
    }

    /// Forgets the nodes that have fallen silent. Returns whether there were any.
    mutating func forgetSilent(at moment: Timestamp) -> Bool {
        let count = lastHeardAt.count
        lastHeardAt = lastHeardAt.filter { moment - $0.value <= Self.silenceLimit }
        return lastHeardAt.count < count
    }
}
