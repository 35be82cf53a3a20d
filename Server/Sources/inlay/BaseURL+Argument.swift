import ArgumentParser
import InlayServerCore

extension BaseURL {
    /// The address at which `inlay serve` listens without settings.
    // The literal is a base URL, so the initializer cannot fail.
    static let standard = BaseURL("http://127.0.0.1:8080")!

    /// Reads the value of an option; throws a `ValidationError` that describes a valid one.
    @Sendable static func argument(_ text: String) throws -> BaseURL {
        guard let url = BaseURL(text) else {
            throw ValidationError(
                "It must begin with http:// or https:// and a host, without user information and query.")
        }
        return url
    }
}
