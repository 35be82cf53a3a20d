public import Foundation

/// The configuration of a view of one card. Toasts are enabled by default; the header does not apply.
public final class AACSingleCardConfiguration: AACConfiguration {
    /// Whether the next card is shown when the current one is done; `false` by default.
    public var automaticallyLoadNextCard = false

    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone)
        (copy as? AACSingleCardConfiguration)?.automaticallyLoadNextCard = automaticallyLoadNextCard
        return copy
    }
}
