import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

@_spi(Inlay) @testable import InlayCore

/// The environment of a session in a test: a folder, a manual clock, a scripted server and token provider.
struct SessionFixture {
    let folder: TemporaryFolder
    let clock: ManualClock
    let server: ScriptedTransport
    let provider: ScriptedProvider

    init() throws {
        folder = try TemporaryFolder()
        clock = ManualClock()
        server = ScriptedTransport()
        provider = ScriptedProvider(clock: clock)
    }

    var configuration: SessionConfiguration {
        SessionConfiguration(
            environmentID: "env-1", apiKey: "key-1", baseURL: address("https://inlay.example"),
            folder: folder.url)
    }

    /// Starts a session whose back-offs last as long as their limit.
    func session(
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) async throws -> InlaySession {
        var configuration = configuration
        change(&configuration)
        return try await InlaySession(
            configuration: configuration, transport: server, clock: clock, random: { 1 },
            tokenProvider: provider.provide)
    }

    /// The names of the users' store files on disk.
    var userFiles: [String] { folder.names.filter { $0.hasPrefix("user-") } }
}

/// Returns the URL of a valid literal.
func address(_ text: String) -> URL { URL(string: text) ?? URL(fileURLWithPath: "/invalid") }
