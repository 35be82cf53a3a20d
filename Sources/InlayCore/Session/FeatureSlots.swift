/// Holds one object per feature, made on first use; Core knows no feature by name.
package final class FeatureSlots: Sendable {
    private let objects = Locked<[ObjectIdentifier: any Sendable]>([:])

    package init() {}

    /// The feature's object; `make` runs once and must not ask for another feature.
    package func object<Feature: Sendable>(_ type: Feature.Type, make: () -> Feature) -> Feature {
        objects.withLock { objects in
            if let known = objects[ObjectIdentifier(type)] as? Feature { return known }
            let made = make()
            objects[ObjectIdentifier(type)] = made
            return made
        }
    }
}
