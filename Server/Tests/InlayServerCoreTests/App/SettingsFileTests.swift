import Configuration
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The settings file: the server refuses to start with an entry that it cannot use.
@Suite(.timeLimit(.minutes(5))) struct SettingsFileTests {
    private func read(_ text: String) throws -> [String: String] {
        try SettingsFile(Data(text.utf8), path: "inlay.json").texts
    }

    @Test func `settings are read in the form that JSON has for them, and as texts`() throws {
        let settings = try read(
            #"{"port": 9000, "stopSeconds": "4", "trustProxy": true, "logRequests": "no", "host": "::1", "mailFrom": null}"#
        )
        #expect(
            settings == [
                "port": "9000", "stopSeconds": "4", "trustProxy": "true", "logRequests": "no", "host": "::1",
            ])
    }

    @Test func `settings may be saved by any editor, and an encoding that is not read is named`() throws {
        let text = "\u{FEFF}{\"port\": 9000}"
        for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian] {
            let data = try #require(text.data(using: encoding))
            #expect(try SettingsFile(data, path: "inlay.json").texts == ["port": "9000"], "\(encoding)")
        }
        for (bytes, name) in [
            (Data("{\"host\": \"".utf8) + Data([0xE6]) + Data("\"}".utf8), "UTF-8"),
            (Data([0xFF, 0xFE, 0, 0]), "UTF-32"),
        ] {
            let error = #expect(throws: ConfigurationError.self) {
                try SettingsFile(bytes, path: "inlay.json")
            }
            let words = error?.description ?? ""
            #expect(words.contains("inlay.json") && words.contains(name), "\(words)")
        }
    }

    @Test(arguments: [
        (#"{"metricsToken": 12345}"#, "metricsToken", "text"),
        (#"{"metricsToken": ["x"]}"#, "metricsToken", "text"),
        (#"{"metricsToken": {"value": "x"}}"#, "metricsToken", "text"), (#"{"host": true}"#, "host", "text"),
        (#"{"port": 80.5}"#, "port", "number"), (#"{"port": true}"#, "port", "number"),
        (#"{"trustProxy": 1}"#, "trustProxy", "true or false"),
        (#"{"metricToken": "x"}"#, "metricToken", "no setting"),
        (#"["metricsToken"]"#, "inlay.json", "object"), ("{", "inlay.json", "object"),
    ])
    func `a setting of the wrong kind or of an unknown name is an error that names it`(
        _ text: String, _ name: String, _ rule: String
    ) throws {
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        let words = error?.description ?? ""
        #expect(words.contains(name) && words.contains(rule), "\(words)")
    }

    @Test func `a file that is not there is an error`() {
        #expect(throws: ConfigurationError.self) { try SettingsFile(path: "/nowhere/inlay.json") }
    }

    @Test func `the file knows every setting that a server reads, and no other`() throws {
        let reads = Reads()
        let provider = InMemoryProvider(
            name: "test",
            values: [
                AbsoluteConfigKey(["smtpHost"]): ConfigValue(.string("mail.example"), isSecret: false),
                AbsoluteConfigKey(["mailFrom"]): ConfigValue(.string("inlay@example.com"), isSecret: false),
            ])
        _ = try InlayServerConfiguration(reader: ConfigReader(provider: provider, accessReporter: reads))
        #expect(reads.names.withLockedValue { $0 } == Set(SettingsFile.kinds.keys))
    }

    private final class Reads: AccessReporter {
        let names = NIOLockedValueBox<Set<String>>([])

        func report(_ event: AccessEvent) {
            let name = event.metadata.key.components.joined(separator: ".")
            names.withLockedValue { _ = $0.insert(name) }
        }
    }
}
