import Foundation
import GRDB
import InlayCore
import InlayTrust
import InlayWire

/// The publisher's last signed word on what may be shown. It only moves forward, and outlives the app.
final class HubPolicies: Sendable {
    private struct State {
        var last: HubPolicy?
        /// A disable arrived, or was confirmed, in this session: nothing lifts it until the next.
        var isLatched = false
    }

    private let database: HubDatabase
    private let source: String
    private let state: Locked<State>

    /// Begins with what an earlier session learned.
    init(_ database: HubDatabase, source: String) throws(HubError) {
        self.database = database
        self.source = source
        let stored = try database.value("policy", source: source)
        state = Locked(State(last: stored.flatMap { try? JSONDecoder().decode(HubPolicy.self, from: $0) }))
    }

    /// The last policy; `nil` before the first.
    var current: HubPolicy? { state.withLock { $0.last } }

    /// Whether nothing may be shown.
    var isDisabled: Bool { state.withLock { $0.isLatched || $0.last?.isDisabled == true } }

    /// Whether nothing may even be asked for until the next session.
    var isLatched: Bool { state.withLock { $0.isLatched } }

    /// Ids of articles that may not be shown.
    var recalled: Set<String> { Set(current?.recalledArticles ?? []) }

    /// Takes a policy whose bytes were verified.
    ///
    /// - Throws: a rollback when it is older than the one before.
    func accept(_ data: Data) throws(HubError) {
        guard let policy = try? JSONDecoder().decode(HubPolicy.self, from: data) else {
            throw .invalidContent("\(HubPolicy.target) cannot be read")
        }
        let last = current
        if let last, policy.version < last.version {
            throw .trust(
                TrustError(
                    .rollback, "version \(policy.version) after \(last.version)", file: HubPolicy.target))
        }
        // Kept before it is obeyed: a word that was heard must not be forgotten by a crash.
        if policy != last { try database.set("policy", data, source: source) }
        state.withLock { state in
            state.last = policy
            if policy.isDisabled { state.isLatched = true }
        }
    }
}
