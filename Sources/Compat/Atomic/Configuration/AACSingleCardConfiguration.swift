public import Foundation

/// The behavior of a view of one card; toasts are enabled by default, the header does not apply.
public final class AACSingleCardConfiguration: AACConfiguration {
    /// Whether the next card follows when the shown one is done; default `false`.
    public var automaticallyLoadNextCard = false

    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone)
        (copy as? AACSingleCardConfiguration)?.automaticallyLoadNextCard = automaticallyLoadNextCard
        return copy
    }
}
