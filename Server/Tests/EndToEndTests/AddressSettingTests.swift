import AsyncHTTPClient
import Foundation
@_spi(Inlay) import InlayTesting
import Testing

/// Tests of addresses on the command line of the built program.
@Suite(.timeLimit(.minutes(5))) struct AddressSettingTests {
    @Test(arguments: [
        ("--public-url", "inlay.example.com", "publicUrl"),
        ("--public-url", "htps://inlay.example.com", "publicUrl"),
        ("--public-url", "https://inlay example.com", "publicUrl"), ("--host", "http://127.0.0.1", "host"),
    ])
    func `an address that cannot be used stops the start, and the error names the setting and the value`(
        _ flag: String, _ value: String, _ setting: String
    ) async throws {
        let folder = try TemporaryFolder()
        let data = folder.url.appendingPathComponent("data")
        let log = try await LoggedServer.failure(
            ["--database", "sqlite:\(data.path)/inlay.sqlite", "--port", "0", flag, value], in: folder)
        #expect(log.contains("The setting \(setting) must be") && log.contains(value), "\(log)")
        #expect(!FileManager.default.fileExists(atPath: data.path))
    }

    @Test func `a public address with blanks around it is taken, and cookies are Secure`() async throws {
        let folder = try TemporaryFolder()
        let server = try await LoggedServer.start(
            [
                "--database", "sqlite:\(folder.url.path)/data/inlay.sqlite", "--port", "0",
                "--public-url", " https://inlay.example.com/ ",
            ], in: folder)
        let answer = try await server.send(HTTPClient.shared, "GET", "/workbench/sign-in")
        #expect(answer.status == 200)
        #expect(answer.headers.contains { $0.0 == "set-cookie" && $0.1.contains("; Secure") })
        try await server.stop()
    }
}
