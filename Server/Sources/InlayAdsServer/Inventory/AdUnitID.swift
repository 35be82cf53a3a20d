import InlayServerCore

/// The id of an ``AdUnit``: a UUID in lower case, unique in all environments.
package struct AdUnitID: AdUUID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }

    /// The value of an unknown unit, in counts.
    package static let noUnit = AdUnitID("")
}
