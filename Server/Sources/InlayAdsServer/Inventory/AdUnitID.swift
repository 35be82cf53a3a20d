import InlayServerCore

/// The id of an ``AdUnit``: a UUID in lower case, unique in all environments.
package struct AdUnitID: AdUUID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }

    /// In counts: no unit is known.
    package static let noUnit = AdUnitID("")
}
