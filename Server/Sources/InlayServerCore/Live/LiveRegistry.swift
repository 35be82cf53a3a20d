@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

/// The sockets of this node by environment, user and topic.
///
/// Guarded by one lock that is never held while anything is sent.
final class LiveRegistry: Sendable {
    private struct UserName: Hashable {
        let environmentID: EnvironmentID
        let userID: UserID
    }

    private struct State {
        var users: [UserName: [LiveSocket]] = [:]
        /// The sockets of a whole environment, for changes that concern everyone.
        var environments: [EnvironmentID: [ObjectIdentifier: LiveSocket]] = [:]
        var topics: [ObjectIdentifier: Set<String>] = [:]
    }

    private let state = NIOLockedValueBox(State())

    /// The number of open sockets.
    var count: Int { state.withLockedValue(\.topics.count) }

    /// Every open socket.
    var all: [LiveSocket] { state.withLockedValue { $0.users.values.flatMap(\.self) } }

    /// Adds a socket; returns the user's oldest ones beyond `maximum`, which the caller closes.
    func add(_ socket: LiveSocket, maximum: Int) -> [LiveSocket] {
        let name = UserName(environmentID: socket.identity.environmentID, userID: socket.identity.userID)
        return state.withLockedValue { state in
            state.users[name, default: []].append(socket)
            state.environments[name.environmentID, default: [:]][ObjectIdentifier(socket)] = socket
            state.topics[ObjectIdentifier(socket)] = []
            return Array(state.users[name, default: []].dropLast(maximum))
        }
    }

    /// Replaces the topics of a socket. Does nothing for a socket that was removed.
    func subscribe(_ socket: LiveSocket, to topics: Set<String>) {
        state.withLockedValue { state in
            guard state.topics[ObjectIdentifier(socket)] != nil else { return }
            state.topics[ObjectIdentifier(socket)] = topics
        }
    }

    func topics(of socket: LiveSocket) -> [String] {
        state.withLockedValue { Array($0.topics[ObjectIdentifier(socket)] ?? []) }
    }

    func remove(_ socket: LiveSocket) {
        let name = UserName(environmentID: socket.identity.environmentID, userID: socket.identity.userID)
        let id = ObjectIdentifier(socket)
        state.withLockedValue { state in
            state.topics[id] = nil
            state.users[name]?.removeAll { $0 === socket }
            if state.users[name]?.isEmpty == true { state.users[name] = nil }
            state.environments[name.environmentID]?[id] = nil
            if state.environments[name.environmentID]?.isEmpty == true {
                state.environments[name.environmentID] = nil
            }
        }
    }

    /// The sockets of one user.
    func sockets(_ environmentID: EnvironmentID, _ userID: UserID) -> [LiveSocket] {
        state.withLockedValue { $0.users[UserName(environmentID: environmentID, userID: userID)] ?? [] }
    }

    /// Returns the sockets that a change is meant for: the same environment, the same user if it names one, and the
    /// topic.
    func sockets(for change: LiveChange) -> [LiveSocket] {
        state.withLockedValue { state in
            let near: [LiveSocket] =
                if let userID = change.userID {
                    state.users[UserName(environmentID: change.environmentID, userID: userID)] ?? []
                } else {
                    state.environments[change.environmentID].map { Array($0.values) } ?? []
                }
            return near.filter { state.topics[ObjectIdentifier($0)]?.contains(change.topic) == true }
        }
    }
}
