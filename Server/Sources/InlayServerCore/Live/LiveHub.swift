import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Logging
import NIOConcurrencyHelpers

/// Knows the sockets of this node and tells them, and the other nodes, what changed.
///
/// A socket never carries state, so every message may be lost: a feature calls ``changed(_:)`` after its
/// commit and forgets about it. What a node could not send, because the database did not take it or because the
/// node ended between the commit and the message, the other nodes find out (``LivePeers``): they tell their
/// sockets the versions as they are then.
package final class LiveHub: Sendable {
    /// Tells a topic's current version for a user, or `nil` when there is none.
    package typealias VersionLookup =
        @Sendable (
            _ environmentID: EnvironmentID, _ userID: UserID, _ topic: String
        ) async throws -> Int64?

    /// Tells the current versions of many topics; one without a version is left out.
    package typealias VersionsLookup = @Sendable (_ topics: [LiveTopic]) async throws -> [LiveTopic: Int64]

    /// The database channel between nodes.
    static let channel = "inlay_live"

    let registry = LiveRegistry()
    let nodeID = UUID().uuidString
    private let database: any SQLDatabase
    private let logger: Logger
    private let lookups = LiveLookups()
    private let hasLost = NIOLockedValueBox(false)

    init(database: any SQLDatabase, logger: Logger) {
        self.database = database
        self.logger = logger
    }

    /// Names the lookup for topics that begin with `prefix`, for example `cards/`. Call it while routes
    /// are added; whoever subscribes is told the current version at once.
    package func topicVersion(_ prefix: String, _ lookup: @escaping VersionLookup) {
        topicVersions(prefix) { topics in
            var versions: [LiveTopic: Int64] = [:]
            for topic in topics {
                versions[topic] = try await lookup(topic.environmentID, topic.userID, topic.topic)
            }
            return versions
        }
    }

    /// The same for a lookup that answers for hundreds of users at once, as after a lost listener.
    package func topicVersions(_ prefix: String, _ lookup: @escaping VersionsLookup) {
        lookups.add(prefix, lookup)
    }

    /// Tells one user's sockets, here at once and on other nodes through the database.
    package func changed(environment: EnvironmentID, user: UserID, topic: String, version: Int64) async {
        await changed([LiveChange(environmentID: environment, userID: user, topic: topic, version: version)])
    }

    /// Tells everyone in an environment who follows the topic, in one message between nodes.
    package func changed(environment: EnvironmentID, topic: String, version: Int64) async {
        await changed([LiveChange(environmentID: environment, userID: nil, topic: topic, version: version)])
    }

    /// Tells many at once; cheaper than one by one when an event reaches thousands.
    package func changed(_ changes: [LiveChange]) async {
        deliver(changes)
        // One file has one server: there is no other node to notify.
        guard database.engine == .postgresql else { return }
        for payload in LiveEnvelope.payloads(changes, from: nodeID) { await send(payload) }
    }

    /// Tells the other nodes that this one is there, and whether a message to them was lost since the last time.
    func sendPresence(isLeaving: Bool = false) async {
        guard database.engine == .postgresql else { return }
        let hasLost = hasLost.withLockedValue { hasLost in
            defer { hasLost = false }
            return hasLost
        }
        let envelope = LiveEnvelope(
            node: nodeID, changes: [], isLeaving: isLeaving ? true : nil, hasLost: hasLost ? true : nil)
        guard let payload = envelope.payload else { return }
        await send(payload)
    }

    private func send(_ payload: String) async {
        do {
            try await database.notify(Self.channel, payload)
        } catch {
            // The next message that gets through tells the others to look for themselves.
            hasLost.withLockedValue { $0 = true }
            logger.warning("A message to other nodes was not sent", metadata: ["error": "\(error)"])
        }
    }

    /// Closes a user's sockets of this node, as for a token that has ended.
    package func close(environment: EnvironmentID, user: UserID) {
        for socket in registry.sockets(environment, user) { socket.close(.unknown(4001)) }
    }

    /// Tells the sockets of this node.
    func deliver(_ changes: [LiveChange]) {
        var sends = LiveSends()
        for change in changes {
            for socket in registry.sockets(for: change) {
                sends.add(socket, topic: change.topic, version: change.version)
            }
        }
        sends.send()
    }

    /// Tells every socket of this node the current versions of what it follows, many sockets at a time.
    func retell() async {
        let sockets = registry.all
        var starts = stride(from: 0, to: sockets.count, by: Self.batch).makeIterator()
        await withTaskGroup(of: Void.self) { group in
            func addNext() {
                guard let start = starts.next() else { return }
                let batch = sockets[start..<min(start + Self.batch, sockets.count)]
                group.addTask { await self.retell(batch) }
            }
            // One is looked up while another is sent; more would take the readers from requests.
            addNext()
            addNext()
            while await group.next() != nil { addNext() }
        }
    }

    /// Sockets whose versions are looked up at once.
    private static let batch = 500

    private func retell(_ sockets: ArraySlice<LiveSocket>) async {
        let topics = sockets.map { socket in
            (socket, registry.topics(of: socket).map { LiveTopic(socket.identity, $0) })
        }
        let versions = await versions(of: Set(topics.flatMap(\.1)))
        var sends = LiveSends()
        for (socket, topics) in topics {
            for topic in topics {
                guard let version = versions[topic] else { continue }
                sends.add(socket, topic: topic.topic, version: version)
            }
        }
        sends.send()
    }

    /// The current versions of the topics that have one; a lookup that fails is logged and left out.
    func versions(of topics: Set<LiveTopic>) async -> [LiveTopic: Int64] {
        var found: [LiveTopic: Int64] = [:]
        for (lookup, topics) in lookups.byLookup(topics) {
            do {
                found.merge(try await lookup(topics)) { first, _ in first }
            } catch {
                logger.warning("Versions unknown", metadata: ["error": "\(error)"])
            }
        }
        return found
    }
}
