import Configuration
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The sources of settings and their valid values.
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
        #expect(configuration.socketsPerUser == 16)
    }

    @Test func `every setting is read from the environment`() throws {
        let configuration = try read([
            "INLAY_HOST": "0.0.0.0", "INLAY_PORT": "9000", "INLAY_DATABASE": "postgres://h/d",
            "INLAY_PUBLIC_URL": "https://x", "INLAY_PROXY_HEADER": "Forwarded",
            "INLAY_TRUST_PROXY": "true", "INLAY_LOG_LEVEL": "DEBUG", "INLAY_LOG_REQUESTS": "true",
            "INLAY_METRICS_TOKEN": "m", "INLAY_RATE_ADDRESS": "1", "INLAY_RATE_KEY": "2",
            "INLAY_RATE_USER": "0",
            "INLAY_SOCKETS_PER_USER": "3", "INLAY_STOP_SECONDS": "4", "INLAY_RATE_ADS": "7",
            "INLAY_ADS_BOT_AGENTS": "acme-probe, Monitor/",
            "INLAY_ADS_BLOCKED_NETWORKS": "192.0.2.0/24,2001:db8::/32",
        ])
        #expect(configuration.host == "0.0.0.0" && configuration.port == 9000)
        #expect(configuration.database == "postgres://h/d")
        #expect(configuration.publicURL == BaseURL("https://x") && configuration.proxyHeader == .forwarded)
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
        (" https://inlay.example.com/ ", "https://inlay.example.com", "inlay.example.com"),
        (
            "HTTPS://Inlay.Example.com:8443/a%20b//", "https://inlay.example.com:8443/a%20b",
            "inlay.example.com:8443"
        ),
        ("http://[2001:DB8::1]:8080", "http://[2001:db8::1]:8080", "[2001:db8::1]:8080"),
        ("http://192.0.2.1", "http://192.0.2.1", "192.0.2.1"),
        ("http://my_service:80", "http://my_service:80", "my_service:80"),
    ])
    func `a public address is taken without the blanks and slashes at its ends`(
        _ text: String, _ url: String, _ host: String
    ) throws {
        let configuration = try read(["INLAY_PUBLIC_URL": text])
        #expect(configuration.publicURL?.description == url)
        #expect(configuration.publicURL?.authority.description == host)
        #expect(configuration.isReachedByHTTPS == url.hasPrefix("https:"))
    }

    @Test(arguments: [
        "inlay.example.com", "htps://inlay.example.com", "//inlay.example.com", "https:inlay.example.com",
        "https://", "https:///path", "https://:8080", "https://inlay example.com",
        "https://a.test, https://b.test", "https://a.test:65536", "https://a.test:0", "https://[2001:db8::1",
        "https://192.0.2.300", "https://a..test", "https://zürich.test", "https://a.test/a b",
        "https://a.test/%zz", "https://a.test/\"x\"", "https://a.test\u{7}", "file:///a.test",
    ])
    func `a public address that is none is an error that names it`(_ text: String) {
        let error = #expect(throws: ConfigurationError.self) { try read(["INLAY_PUBLIC_URL": text]) }
        let words = error?.description ?? ""
        #expect(words.contains("publicUrl") && words.contains("https://inlay.example.com"), "\(words)")
        #expect(words.contains(text.debugDescription), "\(words)")
    }

    @Test(arguments: [
        "https://ada:geheim@a.test", "https://a.test?key=geheim", "https://a.test/#geheim", "geheim@a.test",
    ])
    func `an error shows no address that may hold a password`(_ text: String) {
        for name in ["INLAY_PUBLIC_URL", "INLAY_HOST", "INLAY_SMTP_HOST", "INLAY_ADS_DOMAIN"] {
            let error = #expect(throws: ConfigurationError.self) { try read([name: text]) }
            #expect(error?.description.contains("geheim") == false, "\(name)")
        }
    }

    @Test func `blanks around a host are dropped, and what is blank is not set`() throws {
        let configuration = try read([
            "INLAY_HOST": " [::1] ", "INLAY_SMTP_HOST": " mail.example.com\n",
            "INLAY_MAIL_FROM": "inlay@example.com", "INLAY_ADS_DOMAIN": " Ads.Example.com ",
            "INLAY_PUBLIC_URL": " ", "INLAY_PROXY_HEADER": "",
        ])
        #expect(configuration.host == "::1" && configuration.mail?.host == "mail.example.com")
        #expect(configuration.adsDomain == "ads.example.com")
        #expect(configuration.publicURL == nil && configuration.proxyHeader == .xForwardedFor)
    }

    @Test(arguments: [
        ("INLAY_HOST", "http://0.0.0.0"), ("INLAY_HOST", "0.0.0.0:8080"), ("INLAY_HOST", "10.0.0"),
        ("INLAY_SMTP_HOST", "smtp://mail.example.com"), ("INLAY_SMTP_HOST", "mail.example.com:25"),
        ("INLAY_SMTP_HOST", "mail example.com"), ("INLAY_ADS_DOMAIN", "https://ads.example.com"),
        ("INLAY_ADS_DOMAIN", "ads..example.com"), ("INLAY_ADS_DOMAIN", "192.0.2.1"),
        ("INLAY_PROXY_HEADER", "x-real-ip"),
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
