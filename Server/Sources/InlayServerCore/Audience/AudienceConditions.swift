import NIOConcurrencyHelpers

/// The audience conditions of all features.
///
/// The store of segments is made before the features that follow it, so their conditions are added once all are made.
package final class AudienceConditions: Sendable {
    /// The kind of a condition that could not be read from a stored segment; no feature may use it.
    package static let unreadableKind = "unreadable"
    private static let reservedKinds: Set = ["isNot", unreadableKind]

    private let conditions: NIOLockedValueBox<[any AudienceCondition]>

    /// The conditions of one feature, to which others can be added.
    package init(_ conditions: [any AudienceCondition] = []) {
        self.conditions = NIOLockedValueBox(conditions)
    }

    /// All conditions in the order in which they were added.
    package var all: [any AudienceCondition] { conditions.withLockedValue(\.self) }

    /// The condition of a kind.
    package subscript(kind: String) -> (any AudienceCondition)? { all.first { $0.kind == kind } }

    /// Adds the conditions of these features; called before the server listens. ``FeatureNames`` checks that kinds
    /// differ.
    ///
    /// Throws a ``ConfigurationError`` when a kind cannot be one: stored segments name a condition by its kind alone.
    package func add(of features: [any ServerFeature]) throws {
        for feature in features {
            for kind in feature.audienceConditions.map(\.kind) where !Self.canBeKind(kind) {
                throw ConfigurationError(
                    description: """
                        \(type(of: feature)) has the audience condition "\(kind)", which is reserved or not only \
                        letters.
                        """)
            }
            conditions.withLockedValue { $0 += feature.audienceConditions }
        }
    }

    private static func canBeKind(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isLetter } && !reservedKinds.contains(text)
    }
}
