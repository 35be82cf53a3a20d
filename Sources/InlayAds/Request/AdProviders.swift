@_spi(Inlay) public import InlayWire

/// A provider of the device's advertising id. It is called in the background: no ad request waits for it.
public protocol AdIdentifierProvider: Sendable {
    /// Returns the id; `nil`, an empty text or only zeros when there is none or the user does not allow it.
    func identifier() async throws -> String?
}

/// A provider of the device's location. It is called in the background: no ad request waits for it, and it must not
/// show a prompt to the user.
public protocol AdLocationProvider: Sendable {
    /// Returns the last known location; `nil` when there is none or the user does not allow it.
    func location() async throws -> AdGeo?
}

/// A provider of the user agent of the device's web view.
public protocol AdUserAgentProvider: Sendable {
    /// Returns the user agent; `nil` when there is none.
    func userAgent() async throws -> String?
}

/// A location provider without a location.
package struct NoAdLocation: AdLocationProvider {
    /// Creates the provider.
    public init() {}

    public func location() async throws -> AdGeo? { nil }
}
