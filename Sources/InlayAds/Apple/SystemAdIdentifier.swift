#if canImport(AdSupport)
    package import AdSupport
#endif

/// A provider of the system's advertising id. It never asks the user for permission.
package struct SystemAdIdentifier: AdIdentifierProvider {
    /// Creates the provider.
    package init() {}

    package func identifier() async throws -> String? {
        #if canImport(AdSupport)
            // Without permission the system returns zeros, which count as no id.
            ASIdentifierManager.shared().advertisingIdentifier.uuidString
        #else
            nil
        #endif
    }
}
