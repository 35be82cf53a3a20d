import NIOConcurrencyHelpers

/// The audience conditions of all features.
///
/// The store of segments is made before the features that follow it, so their conditions are added once all are made.
package final class AudienceConditions: Sendable {
    /// A condition and the feature that contributes it.
    private struct Entry: Sendable {
        let condition: any AudienceCondition
        let feature: String
    }

    /// Names that stored segments use for something else than a kind.
    package static let unreadableKind = "unreadable"
    private static let reservedKinds: Set = ["isNot", unreadableKind]

    private let entries = NIOLockedValueBox<[Entry]>([])

    /// The conditions of one feature, to which others can be added.
    package init(_ conditions: [any AudienceCondition] = [], of feature: String = "the store of segments") {
        add(conditions, of: feature)
    }

    /// All conditions in the order in which they were added.
    package var all: [any AudienceCondition] { entries.withLockedValue { $0.map(\.condition) } }

    /// The condition of a kind.
    package subscript(kind: String) -> (any AudienceCondition)? { all.first { $0.kind == kind } }

    /// Adds the conditions of these features; called before the server listens.
    package func add(of features: [any ServerFeature]) {
        for feature in features { add(feature.audienceConditions, of: "\(type(of: feature))") }
    }

    /// Adds the conditions of a feature.
    ///
    /// Ends the process when a kind is taken or cannot be one: stored segments name a condition by its kind alone, so
    /// the order of the features would decide whom a segment selects.
    private func add(_ conditions: [any AudienceCondition], of feature: String) {
        for condition in conditions {
            let kind = condition.kind
            precondition(
                !kind.isEmpty && kind.allSatisfy { $0.isASCII && $0.isLetter }
                    && !Self.reservedKinds.contains(kind),
                "\(feature) has an audience condition of the kind \"\(kind)\", which is reserved or not only letters."
            )
            entries.withLockedValue { entries in
                if let other = entries.first(where: { $0.condition.kind == kind }) {
                    preconditionFailure(
                        "\(feature) and \(other.feature) both have an audience condition of the kind \"\(kind)\"."
                    )
                }
                entries.append(Entry(condition: condition, feature: feature))
            }
        }
    }
}
