#if canImport(WebKit)
    package import WebKit
#endif

/// The user agent of the system's web view; `nil` where there is none.
package struct SystemAdUserAgent: AdUserAgentProvider {
    /// The system's user agent.
    package init() {}

    package func userAgent() async throws -> String? {
        #if canImport(WebKit)
            try await Self.asked()
        #else
            nil
        #endif
    }

    #if canImport(WebKit)
        @MainActor private static func asked() async throws -> String? {
            try await WKWebView(frame: .zero).evaluateJavaScript("navigator.userAgent") as? String
        }
    #endif
}
