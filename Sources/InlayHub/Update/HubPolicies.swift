import Foundation
import GRDB
import InlayCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// The publisher's newest signed policy on what may be shown. Its version never decreases, and it is stored.
final class HubPolicies: Sendable {
    private struct State {
        var last: HubPolicy?
        /// Whether a policy of this session disabled the source. It stays disabled until the next session.
        var isLatched = false
    }

    private let database: HubDatabase
    private let source: String
    private let state: Locked<State>
    /// The lock of `accept`: no other policy may be stored between the check of the version and the write.
    private let accepting = Locked(())

    /// Reads the policy that an earlier session stored.
    init(_ database: HubDatabase, source: String) throws(HubError) {
        self.database = database
        self.source = source
        let stored = try database.value("policy", source: source)
        state = Locked(State(last: stored.flatMap { try? JSONDecoder().decode(HubPolicy.self, from: $0) }))
    }

    /// The newest policy; `nil` before the first.
    var current: HubPolicy? { state.withLock { $0.last } }

    /// Whether nothing may be shown.
    var isDisabled: Bool { state.withLock { $0.isLatched || $0.last?.isDisabled == true } }

    /// Whether the source also sends no requests until the next session.
    var isLatched: Bool { state.withLock { $0.isLatched } }

    /// Ids of articles that may not be shown.
    var recalled: Set<String> { Set(current?.recalledArticles ?? []) }

    /// Stores and applies a policy whose signature was verified.
    ///
    /// - Throws: `HubError.trust` with a rollback when the policy is older than the current one.
    func accept(_ data: Data) throws(HubError) {
        guard let policy = try? JSONDecoder().decode(HubPolicy.self, from: data) else {
            throw .invalidContent("\(HubPolicy.target) cannot be read")
        }
        try accepting.withLock { _ in Result { () throws(HubError) in try accept(policy, data) } }.get()
    }

    private func accept(_ policy: HubPolicy, _ data: Data) throws(HubError) {
        let last = current
        if let last, policy.version < last.version {
            throw .trust(
                TrustError(
                    .rollback, "version \(policy.version) after \(last.version)", file: HubPolicy.target))
        }
        // Stored before it is applied, so that a crash does not undo a policy that was in effect.
        if policy != last { try database.set("policy", data, source: source) }
        state.withLock { state in
            state.last = policy
            if policy.isDisabled { state.isLatched = true }
        }
    }
}
