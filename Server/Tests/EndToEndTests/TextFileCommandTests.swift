import Foundation
import InlaySQLTesting
import InlayServerCore
@_spi(Inlay) import InlayTesting
import Testing

/// Tests of files and variables that an operator gives to the built `inlay`.
@Suite(.timeLimit(.minutes(5))) struct TextFileCommandTests {
    @Test
    func
        `a PEM key with text above it makes an API key, and a settings file may begin with a byte order mark`()
        async throws
    {
        try await TestDatabase.withURL(.sqlite) { database in
            let folder = try TemporaryFolder()
            func write(_ text: String, _ name: String) throws -> String {
                let url = folder.url.appendingPathComponent(name)
                try Data(text.utf8).write(to: url)
                return url.path
            }
            let pem = DevelopmentSigner().publicKeyPEM
            let words = "\u{FEFF}Bag Attributes\r\n    friendlyName: backend\r\n"
            let key = try write(words + pem.replacing("\n", with: " \r\n"), "backend.pem")
            let settings = try write("\u{FEFF}{\"logLevel\": \"error\"}", "inlay.json")
            let lines = try await ServerProcess.run(
                ["key", "create", "harbor", "--public-key", key, "--config", settings], on: database,
                in: folder)
            #expect(lines.contains { $0.hasPrefix("api key      ak_") }, "\(lines)")
        }
    }

    @Test(arguments: [
        (":Europe/Berlin", false), ("/usr/share/zoneinfo/Europe/Berlin", false), ("Japan", false),
        ("CET-1CEST,M3.5.0,M10.5.0/3", true),
    ])
    func `a time zone that cannot be used is logged at the start`(
        _ variable: String, _ isRefused: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let server = try await LoggedServer.start(
            ["--database", "sqlite:\(folder.url.path)/inlay.sqlite", "--port", "0"],
            settings: ["TZ": variable], in: folder)
        try await server.stop()
        let log = server.log
        let lines = log.split(separator: "\n").filter { $0.contains("Days and times are those of UTC") }
        #expect(lines.count == (isRefused ? 1 : 0))
        #expect(lines.allSatisfy { $0.contains(" warning ") && $0.contains("\"\(variable)\"") }, "\(log)")
    }
}
