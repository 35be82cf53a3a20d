import NIOConcurrencyHelpers

/// The names that features have registered: routes, kinds of jobs and others of which each may have one owner only.
///
/// With two owners the order of the features would decide which of them works, so the server does not start.
package final class FeatureNames: Sendable {
    private struct Name: Hashable {
        let kind: String
        let text: String
    }

    private struct State {
        var owners: [Name: String] = [:]
        var faults: [String] = []
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// Registers names of one kind, for example "job kind". Returns whether all of them were free.
    @discardableResult
    package func register(_ kind: String, _ names: [String], by owner: String) -> Bool {
        state.withLockedValue { state in
            let faults = names.compactMap { text -> String? in
                let other = state.owners.updateValue(owner, forKey: Name(kind: kind, text: text))
                guard let other else { return nil }
                return other == owner
                    ? "\(owner) has the \(kind) \"\(text)\" twice."
                    : "\(other) and \(owner) both have the \(kind) \"\(text)\"."
            }
            state.faults += faults
            return faults.isEmpty
        }
    }

    /// Registers what these features have besides routes, pages and their files.
    package func register(_ features: [any ServerFeature]) {
        for feature in features {
            let owner = "\(type(of: feature))"
            register("migration", feature.migrations.map { "\($0.feature)/\($0.name)" }, by: owner)
            register("store of private keys", feature.sealedKeys.map(\.keyOwner), by: owner)
            register("job kind", feature.jobs.map(\.kind.rawValue), by: owner)
            register("periodic task", feature.periodicTasks.map(\.name), by: owner)
            register("audience condition", feature.audienceConditions.map(\.kind), by: owner)
            register("metric", feature.metrics.map(\.name), by: owner)
        }
    }

    /// Throws a ``ConfigurationError`` that lists the names with two owners, if there are any.
    package func check() throws {
        let faults = state.withLockedValue(\.faults)
        guard !faults.isEmpty else { return }
        throw ConfigurationError(
            description: faults.joined(separator: " ") + " Each of these names can be used once.")
    }
}
