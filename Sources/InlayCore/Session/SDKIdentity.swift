/// The SDK's name and version in requests to the server.
package enum SDKIdentity {
    /// The SDK's version: that of the file `VERSION`; a test compares them.
    package static let version = "0.1.0"

    /// The value of the `Inlay-SDK` header field.
    package static let header = "inlay-swift/\(version) (\(platform))"

    private static var platform: String {
        #if os(iOS)
            "ios"
        #elseif os(macOS)
            "macos"
        #elseif os(Linux)
            "linux"
        #else
            "other"
        #endif
    }
}
