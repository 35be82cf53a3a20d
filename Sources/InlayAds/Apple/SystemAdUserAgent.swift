#if canImport(WebKit)
    package import WebKit
#endif

/// A provider of the user agent of the system's web view; `nil` on a system without WebKit.
package struct SystemAdUserAgent: AdUserAgentProvider {
    /// Creates the provider.
    package init() {}

    package func userAgent() async throws -> String? {
        #if canImport(WebKit)
            try await Self.webViewUserAgent()
        #else
            nil
        #endif
    }

    #if canImport(WebKit)
        @MainActor private static func webViewUserAgent() async throws -> String? {
            try await WKWebView(frame: .zero).evaluateJavaScript("navigator.userAgent") as? String
        }
    #endif
}
