import Configuration
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// Where settings come from and what they may be.
@Suite(.timeLimit(.minutes(5))) struct ConfigurationTests {
    private func read(_ environment: [String: String]) throws -> InlayServerConfiguration {
        let provider = EnvironmentVariablesProvider(environmentVariables: environment)
        return try InlayServerConfiguration(reader: ConfigReader(provider: provider).scoped(to: "inlay"))
    }

    @Test func `nothing needs to be set, and nobody else can connect until it is`() throws {
        let configuration = try read([:])
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 8080)
        #expect(configuration.database == "sqlite:.inlay/inlay.sqlite")
        #expect(configuration.rates == RateLimits())
    }

    @Test func `every setting is read from the environment`() throws {
        let configuration = try read([
            "INLAY_HOST": "0.0.0.0", "INLAY_PORT": "9000", "INLAY_DATABASE": "postgres://h/d",
            "INLAY_PUBLIC_URL": "https://x",
            "INLAY_TRUST_PROXY": "true", "INLAY_LOG_LEVEL": "DEBUG", "INLAY_LOG_REQUESTS": "true",
            "INLAY_METRICS_TOKEN": "m", "INLAY_RATE_ADDRESS": "1", "INLAY_RATE_KEY": "2",
            "INLAY_RATE_USER": "0",
            "INLAY_SOCKETS_PER_USER": "3", "INLAY_STOP_SECONDS": "4", "INLAY_RATE_ADS": "7",
            "INLAY_ADS_BOT_AGENTS": "acme-probe, Monitor/",
            "INLAY_ADS_BLOCKED_NETWORKS": "192.0.2.0/24,2001:db8::/32",
        ])
        #expect(configuration.host == "0.0.0.0" && configuration.port == 9000)
        #expect(configuration.database == "postgres://h/d" && configuration.publicURL == "https://x")
        #expect(configuration.trustsProxy && configuration.logsRequests && configuration.logLevel == .debug)
        #expect(configuration.metricsToken == "m")
        #expect(
            [configuration.rates.perAddress, configuration.rates.perKey, configuration.rates.perUser] == [
                1, 2, 0,
            ])
        #expect(configuration.socketsPerUser == 3 && configuration.stopSeconds == 4)
        #expect(
            configuration.rates.adsPerNetwork == 7
                && configuration.adsBotAgents == ["acme-probe", "Monitor/"])
        #expect(configuration.adsBlockedNetworks == ["192.0.2.0/24", "2001:db8::/32"])
    }

    @Test func `a flag of the command line switches its setting on`() throws {
        let values = ["trustProxy", "logRequests"].map {
            (AbsoluteConfigKey(["inlay", $0]), ConfigValue(.string("true"), isSecret: false))
        }
        let provider = InMemoryProvider(name: "flags", values: Dictionary(uniqueKeysWithValues: values))
        let configuration = try InlayServerConfiguration(
            reader: ConfigReader(provider: provider).scoped(to: "inlay"))
        #expect(configuration.trustsProxy && configuration.logsRequests)
    }

    @Test(arguments: [
        ("INLAY_PORT", "70000"), ("INLAY_PORT", "http"), ("INLAY_LOG_LEVEL", "loud"),
        ("INLAY_RATE_USER", "-1"),
        ("INLAY_SOCKETS_PER_USER", "0"), ("INLAY_TRUST_PROXY", "maybe"),
        ("INLAY_ADS_BLOCKED_NETWORKS", "192.0.2.0/24, 10.0.0.0/40"),
    ])
    func `a value that cannot be used is an error that names the setting`(_ name: String, _ value: String) {
        let error = #expect(throws: ConfigurationError.self) { try read([name: value]) }
        let words = name.dropFirst("INLAY_".count).split(separator: "_").map { $0.lowercased() }
        #expect(
            words.allSatisfy { error?.description.lowercased().contains($0) == true },
            "\(String(describing: error))")
    }
}
