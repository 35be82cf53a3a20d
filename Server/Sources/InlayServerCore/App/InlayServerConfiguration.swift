public import Configuration
import Foundation
public import Logging

/// The configuration of a server. Every value has a default, so that `inlay serve` needs none.
///
/// Each key below is read from, first found first: a flag (`--public-url`), the environment
/// (`INLAY_PUBLIC_URL`), a JSON file (`{"publicUrl": …}`).
public struct InlayServerConfiguration: Sendable {
    /// `host`: the address to listen on. Default `127.0.0.1`, which other machines cannot reach.
    public var host = "127.0.0.1"
    /// `port`: 0 takes a free one. Default 8080.
    public var port = 8080
    /// `database`: `sqlite:<path>` or `postgres://…`. Default `sqlite:.inlay/inlay.sqlite`.
    public var database: SecretString = "sqlite:.inlay/inlay.sqlite"
    /// `publicUrl`: where browsers and apps reach this server, when a proxy is in front of it.
    public var publicURL: BaseURL?
    /// `trustProxy`: take the caller's address from the last entry of the ``proxyHeader``. Only behind a
    /// proxy that sets it; else callers could choose their address. Default false.
    public var trustsProxy = false
    /// `proxyHeader`: x-forwarded-for or forwarded, the header in which a trusted proxy names callers. The other one
    /// is ignored: the proxy may pass it on as the caller wrote it. Default x-forwarded-for.
    public var proxyHeader = ProxyHeader.xForwardedFor
    /// `logLevel`: trace, debug, info, notice, warning, error or critical. Default info.
    public var logLevel = Logger.Level.info
    /// `logRequests`: a line for each request at info instead of debug. Default false.
    public var logsRequests = false
    /// `metricsToken`: when set, `/metrics` asks for it as a bearer token. Default none.
    public var metricsToken: SecretString?
    /// `rateAddress`, `rateKey`, `rateUser`, `rateAds`: requests per second; 0 switches a limit off.
    public var rates = RateLimits()
    /// `socketsPerUser`: a further socket closes the oldest. Default 16.
    public var socketsPerUser = 16
    /// `contentSecretFile`: the secret that private keys are sealed with, of content and of ads. The server makes the
    /// file while nothing is sealed; later a missing file is an error. Nodes that share a database share this file.
    /// Default `content.secret` beside the SQLite file, else in `.inlay`.
    public var contentSecretFile: String?
    /// `adsPrivateAddresses`: bidders, notices of auctions and rewards may be at addresses of private networks and
    /// this machine. For demos and tests; elsewhere a buyer could reach what only this server can. Default false.
    public var adsPrivateAddresses = false
    /// `adsMilliseconds`: how long a request for an ad may take, bidders included. Apps wait for five seconds
    /// unless they say otherwise. Default 1000.
    public var adsMilliseconds = 1_000
    /// `adsBotAgents`: parts of user agents, separated by commas, whose ad requests are invalid traffic beside those
    /// of the server's own list. Default none.
    public var adsBotAgents: [String] = []
    /// `adsBlockedNetworks`: networks in CIDR notation, separated by commas, whose ad requests are invalid traffic,
    /// for example `192.0.2.0/24, 2001:db8::/32`. Default none.
    public var adsBlockedNetworks: [String] = []
    /// `connectionsPerAddress`: connections that one address may hold at a time, twice as many for its network (IPv4
    /// /24, IPv6 /48); 0 for no limit. Not counted with `trustProxy`. Default a quarter of what the process can hold.
    public var connectionsPerAddress: Int?
    /// `firstPasswordFile`: holds the password of the first operator, `admin`, for an unattended start. Read only while
    /// there is no operator. Default none: a random one is printed, and must be changed at the first sign-in.
    public var firstPasswordFile: String?
    /// `adsMaximumCpm`: the highest price of a bid for a thousand impressions, in dollars; a bid above it is refused.
    /// Default 1000.
    public var adsMaximumCPM = 1_000
    /// `adsDomain`: the domain of this exchange, which names it in the supply chain (`source.schain`) and under which
    /// its `sellers.json` is. Default none: then no supply chain is sent.
    public var adsDomain: String?
    /// The time zone of environments that name none: that of the server's process, which `TZ` sets.
    package var timeZone = CalendarZone.server
    /// The argon2id limits of passwords' hashes. No setting changes them; tests use the minimum.
    package var passwordCost = PasswordCost.interactive
    /// `databaseSeconds`: how long PostgreSQL may be silent before all calls to it are given up and answered with
    /// 503. Default 10.
    public var databaseSeconds = 10
    /// `stopSeconds`: how long requests under way may take after a stop signal. Default 10.
    public var stopSeconds = 10

    /// `smtpHost`, `smtpPort`, `smtpSecurity`, `smtpUser`, `smtpPassword`, `mailFrom`: where mails to end
    /// users go. Default none: they stay in the Workbench, under Devices, Mails.
    public var mail: SMTPSettings?

    /// The defaults.
    public init() {}

    /// Reads every key, in the given order of providers.
    ///
    /// Throws ``ConfigurationError`` that names the key and what it may be.
    public init(reader: ConfigReader) throws {
        self.init()
        host = try reader.host("host") ?? host
        port = try reader.integer("port", default: port, in: 0...65_535)
        database = reader.secret(forKey: "database") ?? database
        publicURL = try reader.baseURL("publicUrl")
        trustsProxy = try reader.flag("trustProxy", default: trustsProxy)
        proxyHeader = try reader.proxyHeader("proxyHeader") ?? proxyHeader
        logLevel = try reader.logLevel("logLevel", default: logLevel)
        logsRequests = try reader.flag("logRequests", default: logsRequests)
        metricsToken = reader.secret(forKey: "metricsToken")
        rates.perAddress = try reader.integer("rateAddress", default: rates.perAddress, in: 0...1_000_000)
        rates.perKey = try reader.integer("rateKey", default: rates.perKey, in: 0...1_000_000)
        rates.perUser = try reader.integer("rateUser", default: rates.perUser, in: 0...1_000_000)
        rates.adsPerNetwork = try reader.integer("rateAds", default: rates.adsPerNetwork, in: 0...100_000)
        socketsPerUser = try reader.integer("socketsPerUser", default: socketsPerUser, in: 1...1000)
        contentSecretFile = reader.string(forKey: "contentSecretFile")
        firstPasswordFile = reader.string(forKey: "firstPasswordFile")
        connectionsPerAddress = try reader.optionalInteger("connectionsPerAddress", in: 0...1_000_000)
        adsPrivateAddresses = try reader.flag("adsPrivateAddresses", default: adsPrivateAddresses)
        adsMilliseconds = try reader.integer("adsMilliseconds", default: adsMilliseconds, in: 100...30_000)
        adsBotAgents = reader.list("adsBotAgents")
        adsBlockedNetworks = try reader.networks("adsBlockedNetworks")
        adsMaximumCPM = try reader.integer("adsMaximumCpm", default: adsMaximumCPM, in: 1...1_000_000)
        adsDomain = try reader.domain("adsDomain")
        databaseSeconds = try reader.integer("databaseSeconds", default: databaseSeconds, in: 2...300)
        stopSeconds = try reader.integer("stopSeconds", default: stopSeconds, in: 0...600)
        mail = try reader.mail()
    }
}

/// Requests per second that one caller may make, as token buckets that hold four seconds' worth.
public struct RateLimits: Hashable, Sendable {
    /// Each address. High, because a whole office may share one.
    public var perAddress = 2000
    /// Each API key or secret key.
    public var perKey = 10_000
    /// Each user of an environment.
    public var perUser = 50
    /// Ad requests of each network, an IPv4 address or an IPv6 /64, in periods of five seconds; a whole /24 or /48 has
    /// five times as many. They need no key, so they have a limit of their own below the one for all requests.
    public var adsPerNetwork = 20

    /// The defaults.
    public init() {}

    /// No limit at all; for benchmarks.
    public static let off: RateLimits = {
        var limits = RateLimits()
        limits.perAddress = 0
        limits.perKey = 0
        limits.perUser = 0
        limits.adsPerNetwork = 0
        return limits
    }()
}

/// A setting with a value that cannot be used.
public struct ConfigurationError: Error, CustomStringConvertible {
    /// Names the setting, and what it may be.
    public let description: String

    package init(description: String) {
        self.description = description
    }
}

extension InlayServerConfiguration {
    /// Whether browsers and apps reach this server by https, which a proxy in front of it provides.
    package var isReachedByHTTPS: Bool { publicURL?.isSecure ?? false }
}

extension ConfigReader {
    fileprivate func secret(forKey key: ConfigKey) -> SecretString? {
        string(forKey: key, isSecret: true).map { SecretString($0) }
    }

    fileprivate func optionalInteger(_ key: ConfigKey, in range: ClosedRange<Int>) throws -> Int? {
        string(forKey: key) == nil ? nil : try integer(key, default: 0, in: range)
    }

    fileprivate func mail() throws -> SMTPSettings? {
        guard let host = try host("smtpHost") else { return nil }
        let name = string(forKey: "smtpSecurity", default: SMTPSettings.Security.startTLS.rawValue)
        guard let security = SMTPSettings.Security(rawValue: name.lowercased()) else {
            throw Self.invalid("smtpSecurity", "starttls, tls or none")
        }
        return try SMTPSettings(
            host: host, port: try integer("smtpPort", default: security.usualPort, in: 1...65_535),
            security: security, user: string(forKey: "smtpUser"),
            password: secret(forKey: "smtpPassword"),
            sender: string(forKey: "mailFrom", default: ""))
    }

    /// The parts of a text between commas, without the white space around them.
    fileprivate func list(_ key: ConfigKey) -> [String] {
        string(forKey: key, default: "").split { $0 == "," || $0.isNewline }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    fileprivate func networks(_ key: ConfigKey) throws -> [String] {
        let networks = list(key)
        guard networks.allSatisfy({ NetworkRange($0) != nil }) else {
            throw Self.invalid(key, "networks such as 192.0.2.0/24, separated by commas")
        }
        return networks
    }

    /// A text without the blanks around it; `nil` when nothing is left.
    private func trimmed(_ key: ConfigKey) -> String? {
        let text = string(forKey: key)?.trimmingCharacters(in: .whitespacesAndNewlines)
        return text?.isEmpty == false ? text : nil
    }

    /// The base URL of a server; `nil` when there is none.
    fileprivate func baseURL(_ key: ConfigKey) throws -> BaseURL? {
        guard let text = trimmed(key) else { return nil }
        guard let url = BaseURL(text) else {
            let rule = """
                an address that begins with http:// or https:// and a host, without user information, query \
                and fragment, for example https://inlay.example.com
                """
            throw Self.invalid(key, rule, not: text)
        }
        return url
    }

    /// A host's name or numeric address, the latter without brackets; `nil` when there is none.
    fileprivate func host(_ key: ConfigKey) throws -> String? {
        guard let text = trimmed(key) else { return nil }
        let address = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        if CallerAddress(address) != nil { return address }
        guard HTTPAuthority(text)?.host == text.lowercased() else {
            throw Self.invalid(
                key, "the name or the address of a host, without scheme and port", not: text)
        }
        return text
    }

    /// A domain in lower case; `nil` when there is none.
    fileprivate func domain(_ key: ConfigKey) throws -> String? {
        guard let text = trimmed(key)?.lowercased() else { return nil }
        let isDomain =
            HTTPAuthority(text)?.host == text && CallerAddress(text) == nil && text.contains(".")
            && !text.contains { "_[".contains($0) } && !text.hasSuffix(".")
        guard isDomain else { throw Self.invalid(key, "a domain, for example ads.example.com", not: text) }
        return text
    }

    fileprivate func proxyHeader(_ key: ConfigKey) throws -> ProxyHeader? {
        guard let text = trimmed(key)?.lowercased() else { return nil }
        guard let header = ProxyHeader(rawValue: text) else {
            throw Self.invalid(key, ProxyHeader.allCases.map(\.rawValue).joined(separator: " or "), not: text)
        }
        return header
    }

    fileprivate func integer(_ key: ConfigKey, default: Int, in range: ClosedRange<Int>) throws -> Int {
        guard let text = string(forKey: key) else {
            return try checked(int(forKey: key, default: `default`), key, range)
        }
        guard let value = Int(text) else { throw Self.invalid(key, "a whole number") }
        return try checked(value, key, range)
    }

    /// Flags of the command line are texts, which no provider takes for a Boolean by itself.
    fileprivate func flag(_ key: ConfigKey, default: Bool) throws -> Bool {
        guard let text = string(forKey: key) else { return bool(forKey: key, default: `default`) }
        switch text.lowercased() {
        case "true", "yes", "1": return true
        case "false", "no", "0": return false
        default: throw Self.invalid(key, "true or false")
        }
    }

    private func checked(_ value: Int, _ key: ConfigKey, _ range: ClosedRange<Int>) throws -> Int {
        guard range.contains(value) else {
            throw Self.invalid(key, "from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    fileprivate func logLevel(_ key: ConfigKey, default: Logger.Level) throws -> Logger.Level {
        guard let text = string(forKey: key) else { return `default` }
        guard let level = Logger.Level(rawValue: text.lowercased()) else {
            throw Self.invalid(key, Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return level
    }

    private static func invalid(
        _ key: ConfigKey, _ rule: String, not value: String? = nil
    ) -> ConfigurationError {
        // A value with one of these may hold a password, which no error shows.
        let isShown = value?.contains { "@?#".contains($0) } == false
        let found = isShown ? ". It is \(String((value ?? "").prefix(100)).debugDescription)" : ""
        return ConfigurationError(
            description: "The setting \(key.components.joined(separator: ".")) must be \(rule)\(found).")
    }
}
