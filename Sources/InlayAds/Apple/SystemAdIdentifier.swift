#if canImport(AdSupport)
    import AdSupport
#endif

/// The system's advertising id, where there is one and the user allowed tracking; never asks.
public struct SystemAdIdentifier: AdIdentifierProvider {
    /// The system's id.
    public init() {}

    public func identifier() async throws -> String? {
        #if canImport(AdSupport)
            // Without permission the system gives zeros, which count as none.
            ASIdentifierManager.shared().advertisingIdentifier.uuidString
        #else
            nil
        #endif
    }
}
