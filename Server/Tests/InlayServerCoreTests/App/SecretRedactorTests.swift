import Logging
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The removal of the settings' secrets from log lines and from errors of libraries.
@Suite struct SecretRedactorTests {
    private struct LibraryError: Error, CustomStringConvertible {
        let description: String
    }

    private let secrets = SecretRedactor(
        ["token-of-the-metrics", "abc"], databases: ["postgres://inlay:p%40ss+word@h/x", "sqlite:planted"])

    @Test(arguments: [
        ("nothing of that kind", "nothing of that kind"), ("", ""),
        ("Bearer token-of-the-metrics, token-of-the-metrics", "Bearer <redacted>, <redacted>"),
        ("xtoken-of-the-metricsx", "x<redacted>x"),
        ("at p%40ss+word", "at <redacted>"), ("at p@ss+word", "at <redacted>"),
        // A short secret only where it is no part of a word.
        ("abc (abc) abc=1", "<redacted> (<redacted>) <redacted>=1"), ("abcd éabc 1abc", "abcd éabc 1abc"),
        ("a path of sqlite: planted", "a path of sqlite: planted"),
    ])
    func `every secret is removed from a text, a short one where it is no part of a word`(
        text: String, shown: String
    ) {
        #expect(secrets.removed(from: text) == shown)
    }

    @Test func `a secret that is a part of another one leaves nothing of it`() {
        let secrets = SecretRedactor(["12345678", "1234567890"])
        #expect(secrets.removed(from: "1234567890 12345678") == "<redacted> <redacted>")
        #expect(SecretRedactor([""]).isEmpty && SecretRedactor([]).removed(from: "a") == "a")
    }

    @Test func `an error without a secret stays itself, another keeps its text alone`() {
        let plain = secrets.removed(from: LibraryError(description: "no route"))
        #expect(plain is LibraryError)
        let quoted = secrets.removed(from: LibraryError(description: "bad token-of-the-metrics"))
        #expect(!(quoted is LibraryError) && "\(quoted)" == "bad <redacted>")
    }

    @Test func `a server's log lines have no secret in message, metadata and error`() {
        let (recorded, lines) = RecordedLog.make()
        var logger = recorded.without(secrets)
        logger[metadataKey: "always"] = "token-of-the-metrics"
        logger.info("a token-of-the-metrics", metadata: ["error": "\(LibraryError(description: "abc"))"])
        logger.info("b", metadata: ["list": ["token-of-the-metrics", ["inner": "abc"]]])
        let all = lines.withLockedValue { $0.map(\.text) }
        #expect(all.count == 2 && all.allSatisfy { $0.contains("<redacted>") }, "\(all)")
        #expect(!all.contains { $0.contains("token-of-the-metrics") || $0.contains("abc") }, "\(all)")
    }

    @Test func `the log of a server is without the secrets of its settings, whatever writes to it`()
        async throws
    {
        let (logger, lines) = RecordedLog.make()
        try await TestApp.run(configure: { $0.metricsToken = "token-of-the-metrics" }, logger: logger) {
            app in
            app.services.logger.warning("token-of-the-metrics", metadata: ["error": "token-of-the-metrics"])
        }
        let all = lines.withLockedValue { $0.map(\.text) }
        #expect(all.contains { $0.hasPrefix("<redacted> ") }, "\(all)")
        #expect(!all.contains { $0.contains("token-of-the-metrics") }, "\(all)")
    }
}
