import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Logging
import NIOConcurrencyHelpers

/// A hub that notifies the sockets of this node, and the other nodes, of changes.
///
/// A socket never carries state, so every message may be lost: a feature calls ``changed(_:)`` after its
/// commit and forgets about it. When a node could not send a message, because the database did not take it or
/// because the node ended between the commit and the message, the other nodes find out (``LivePeers``) and send
/// their sockets the current versions.
package final class LiveHub: Sendable {
    /// Returns a topic's current version for a user, or `nil` when there is none.
    package typealias VersionLookup =
        @Sendable (
            _ environmentID: EnvironmentID, _ userID: UserID, _ topic: String
        ) async throws -> Int64?

    /// Returns the current versions of many topics; one without a version is left out.
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

    /// Registers the lookup for topics that begin with `prefix`, for example `cards/`. Call it while routes
    /// are added. A new subscriber receives the current version at once.
    package func registerVersionLookup(forPrefix prefix: String, _ lookup: @escaping VersionLookup) {
        registerVersionsLookup(forPrefix: prefix) { topics in
            var versions: [LiveTopic: Int64] = [:]
            for topic in topics {
                versions[topic] = try await lookup(topic.environmentID, topic.userID, topic.topic)
            }
            return versions
        }
    }

    /// Registers a lookup that answers for hundreds of users at once, as after a lost listener.
    package func registerVersionsLookup(forPrefix prefix: String, _ lookup: @escaping VersionsLookup) {
        lookups.add(prefix, lookup)
    }

    /// Notifies one user's sockets, here at once and on other nodes through the database.
    package func changed(environment: EnvironmentID, user: UserID, topic: String, version: Int64) async {
        await changed([LiveChange(environmentID: environment, userID: user, topic: topic, version: version)])
    }

    /// Notifies everyone in an environment who follows the topic, in one message between nodes.
    package func changed(environment: EnvironmentID, topic: String, version: Int64) async {
        await changed([LiveChange(environmentID: environment, userID: nil, topic: topic, version: version)])
    }

    /// Sends many changes at once; cheaper than one by one when an event reaches thousands.
    package func changed(_ changes: [LiveChange]) async {
        deliver(changes)
        // One file has one server: there is no other node to notify.
        guard database.engine == .postgresql else { return }
        for payload in LiveEnvelope.payloads(changes, from: nodeID) { await send(payload) }
    }

    /// Notifies the other nodes that this one is running, and whether a message to them was lost since the last time.
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
            // With the next message that gets through, the others look the versions up themselves.
            hasLost.withLockedValue { $0 = true }
            logger.warning("A message to other nodes was not sent", metadata: ["error": "\(error)"])
        }
    }

    /// Closes a user's sockets of this node with the code of a token that has ended.
    package func close(environment: EnvironmentID, user: UserID) {
        for socket in registry.sockets(environment, user) { socket.close(.unknown(4001)) }
    }

    /// Notifies the sockets of this node.
    func deliver(_ changes: [LiveChange]) {
        var sends = LiveSends()
        for change in changes {
            for socket in registry.sockets(for: change) {
                sends.add(socket, topic: change.topic, version: change.version)
            }
        }
        sends.send()
    }

    /// Sends every socket of this node the current versions of its topics, many sockets at a time.
    func republish() async {
        let sockets = registry.all
        var starts = stride(from: 0, to: sockets.count, by: Self.batchSize).makeIterator()
        await withTaskGroup(of: Void.self) { group in
            func addNext() {
                guard let start = starts.next() else { return }
                let batch = sockets[start..<min(start + Self.batchSize, sockets.count)]
                group.addTask { await self.republish(batch) }
            }
            // One batch is looked up while another is sent; more would leave requests too few readers.
            addNext()
            addNext()
            while await group.next() != nil { addNext() }
        }
    }

    /// The number of sockets for which one lookup finds the versions.
    private static let batchSize = 500

    private func republish(_ sockets: ArraySlice<LiveSocket>) async {
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

    /// Returns the current versions of the topics that have one; a lookup that fails is logged and left out.
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

/// The lookups of versions, by the beginning of their topics.
final class LiveLookups: Sendable {
    private let entries = NIOLockedValueBox<[(prefix: String, lookup: LiveHub.VersionsLookup)]>([])

    func add(_ prefix: String, _ lookup: @escaping LiveHub.VersionsLookup) {
        entries.withLockedValue { $0.append((prefix, lookup)) }
    }

    /// Returns the topics that have a lookup, grouped by it.
    func byLookup(_ topics: Set<LiveTopic>) -> [(lookup: LiveHub.VersionsLookup, topics: [LiveTopic])] {
        let entries = entries.withLockedValue { $0 }
        var known: [Int: [LiveTopic]] = [:]
        for topic in topics {
            guard let index = entries.firstIndex(where: { topic.topic.hasPrefix($0.prefix) }) else {
                continue
            }
            known[index, default: []].append(topic)
        }
        return known.map { (entries[$0.key].lookup, $0.value) }
    }
}
