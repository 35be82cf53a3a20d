import Foundation
import InlaySQL
import InlayWire
import Logging
import NIOCore

/// Knows the sockets of this node and tells them, and the other nodes, what changed.
///
/// A socket never carries state, so every message may be lost: a feature calls ``changed(_:)`` after its
/// commit and forgets about it.
package final class LiveHub: Sendable {
    /// Tells a topic's current version for a user, or `nil` when there is none.
    package typealias VersionLookup =
        @Sendable (
            _ environmentID: String, _ userID: String, _ topic: String
        ) async throws -> Int64?

    /// The database channel between nodes.
    static let channel = "inlay_live"

    let registry = LiveRegistry()
    let nodeID = UUID().uuidString
    private let database: any SQLDatabase
    private let logger: Logger
    private let lookups = LiveLookups()

    init(database: any SQLDatabase, logger: Logger) {
        self.database = database
        self.logger = logger
    }

    /// Names the lookup for topics that begin with `prefix`, for example `cards/`. Call it while routes
    /// are added; whoever subscribes is told the current version at once.
    package func topicVersion(_ prefix: String, _ lookup: @escaping VersionLookup) {
        lookups.add(prefix, lookup)
    }

    /// Tells one user's sockets, here at once and on other nodes through the database.
    package func changed(environment: String, user: String, topic: String, version: Int64) async {
        await changed([LiveChange(environmentID: environment, userID: user, topic: topic, version: version)])
    }

    /// Tells everyone in an environment who follows the topic, in one message between nodes.
    package func changed(environment: String, topic: String, version: Int64) async {
        await changed([LiveChange(environmentID: environment, userID: nil, topic: topic, version: version)])
    }

    /// Tells many at once; cheaper than one by one when an event reaches thousands.
    package func changed(_ changes: [LiveChange]) async {
        deliver(changes)
        for payload in LiveEnvelope.payloads(changes, from: nodeID) {
            do {
                try await database.notify(Self.channel, payload)
            } catch {
                // The other nodes' apps still poll; this only costs them their haste.
                logger.warning("Other nodes were not told", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Closes a user's sockets of this node, as for a token that has ended.
    package func close(environment: String, user: String) {
        for socket in registry.sockets(environment, user) { socket.close(.unknown(4001)) }
    }

    /// Tells the sockets of this node.
    func deliver(_ changes: [LiveChange]) {
        var byLoop: [ObjectIdentifier: (loop: any EventLoop, sends: [(LiveSocket, ByteBuffer)])] = [:]
        for change in changes {
            let sockets = registry.sockets(for: change)
            guard !sockets.isEmpty,
                let text = LiveText.encode(.changed(topic: change.topic, version: change.version))
            else { continue }
            for socket in sockets {
                byLoop[ObjectIdentifier(socket.eventLoop), default: (socket.eventLoop, [])].sends.append(
                    (socket, text))
            }
        }
        // One hop for each event loop, not one for each socket: a loop then writes without waking up.
        for (loop, sends) in byLoop.values {
            loop.execute { for (socket, text) in sends { socket.send(text) } }
        }
    }

    /// Tells every socket of this node the current versions of what it follows, one after the other.
    func retell() async {
        for socket in registry.all {
            for (topic, version) in await versions(of: registry.topics(of: socket), for: socket.identity) {
                guard let text = LiveText.encode(.changed(topic: topic, version: version)) else { continue }
                socket.eventLoop.execute { socket.send(text) }
            }
        }
    }

    /// The current versions of the topics that have one; a lookup that fails is logged and left out.
    func versions(of topics: [String], for identity: ClientIdentity) async -> [(
        topic: String, version: Int64
    )] {
        var found: [(String, Int64)] = []
        for topic in topics {
            guard let lookup = lookups.lookup(for: topic) else { continue }
            do {
                let version = try await lookup(identity.environmentID, identity.userID, topic)
                if let version { found.append((topic, version)) }
            } catch {
                logger.warning("Version unknown", metadata: ["topic": "\(topic)", "error": "\(error)"])
            }
        }
        return found
    }
}
