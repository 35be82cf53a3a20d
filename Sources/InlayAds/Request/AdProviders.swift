@_spi(Inlay) public import InlayWire

/// Knows the device's advertising id. Asked in the background: no ad request waits for it.
public protocol AdIdentifierProvider: Sendable {
    /// The id; `nil`, an empty text or only zeros when there is none or the user does not allow it.
    func identifier() async throws -> String?
}

/// Knows where the device is. Asked in the background: no ad request waits for it, and nothing may be asked
/// of the user.
public protocol AdLocationProvider: Sendable {
    /// The last known place; `nil` when there is none or the user does not allow it.
    func location() async throws -> AdGeo?
}

/// Knows the user agent of the device's web view.
public protocol AdUserAgentProvider: Sendable {
    /// The user agent.
    func userAgent() async throws -> String?
}

/// A location provider without a location.
package struct NoAdLocation: AdLocationProvider {
    /// A provider that knows nothing.
    public init() {}

    public func location() async throws -> AdGeo? { nil }
}
