import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

@_spi(Inlay) @testable import InlayCore

/// One session with everything at its edges in the test's hands.
struct SessionFixture {
    let folder: TemporaryFolder
    let clock: ManualClock
    let server: ScriptedTransport
    let provider: ScriptedProvider

    init(folder: TemporaryFolder? = nil, clock: ManualClock = ManualClock()) throws {
        self.folder = try folder ?? TemporaryFolder()
        self.clock = clock
        server = ScriptedTransport()
        provider = ScriptedProvider(clock: clock)
    }

    var configuration: SessionConfiguration {
        SessionConfiguration(
            environmentID: "env-1", apiKey: "key-1", baseURL: address("https://inlay.example"),
            folder: folder.url)
    }

    /// A session; back-offs wait their longest.
    func session(
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) async throws -> InlaySession {
        var configuration = configuration
        change(&configuration)
        return try await InlaySession(
            configuration: configuration, transport: server, clock: clock, random: { 1 },
            tokenProvider: provider.provide)
    }

    /// The user's store files that are on disk.
    var userFiles: [String] { folder.names.filter { $0.hasPrefix("user-") } }
}

/// An address that the test wrote down itself.
func address(_ text: String) -> URL { URL(string: text) ?? URL(fileURLWithPath: "/invalid") }
