import Foundation
@_spi(Inlay) import InlayWire

/// The JSON file of `--config`, checked as a whole: what cannot be used stops the start.
///
/// If such settings were ignored, a `metricsToken` that is a number, or whose name lacks a letter, would leave
/// `/metrics` open.
package struct SettingsFile: Sendable {
    enum Kind: String {
        case text = "a text in quotation marks"
        case number = "a whole number"
        case flag = "true or false"
    }

    /// Every setting with its kind; a test compares them with what ``InlayServerConfiguration`` reads.
    static let kinds: [String: Kind] = [
        "host": .text, "port": .number, "database": .text, "publicUrl": .text, "trustProxy": .flag,
        "proxyHeader": .text,
        "logLevel": .text, "logRequests": .flag, "metricsToken": .text, "rateAddress": .number,
        "rateKey": .number, "rateUser": .number, "socketsPerUser": .number, "contentSecretFile": .text,
        "firstPasswordFile": .text, "connectionsPerAddress": .number,
        "databaseSeconds": .number, "adsPrivateAddresses": .flag, "adsMilliseconds": .number,
        "adsMaximumCpm": .number,
        "adsDomain": .text, "rateAds": .number, "adsBotAgents": .text, "adsBlockedNetworks": .text,
        "stopSeconds": .number,
        "smtpHost": .text, "smtpPort": .number, "smtpSecurity": .text, "smtpUser": .text,
        "smtpPassword": .text, "mailFrom": .text,
    ]

    /// The settings in the form of flags. A setting that is `null` is not among them.
    package let texts: [String: String]

    /// Reads a file. Throws ``ConfigurationError`` that names the file, the setting, and what it may be.
    package init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError(description: "The settings \(path) cannot be read.")
        }
        try self.init(data, path: path)
    }

    init(_ data: Data, path: String) throws {
        let text: String
        do { text = try TextFile.text(data) } catch {
            throw ConfigurationError(
                description: "The settings \(path) cannot be read. \(error.description)")
        }
        guard let settings = try? JSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8)) else {
            throw ConfigurationError(description: "The settings \(path) are not a JSON object.")
        }
        var texts: [String: String] = [:]
        for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
            guard let kind = Self.kinds[name] else {
                let names = Self.kinds.keys.sorted().joined(separator: ", ")
                throw ConfigurationError(
                    description: "There is no setting \(name), which \(path) names. There are: \(names).")
            }
            if case .null = value { continue }
            guard let text = Self.text(of: value, kind) else {
                throw ConfigurationError(
                    description: "The setting \(name) in \(path) must be \(kind.rawValue).")
            }
            texts[name] = text
        }
        self.texts = texts
    }

    /// A number and a flag may be written as texts, as in the environment.
    private static func text(of value: JSONValue, _ kind: Kind) -> String? {
        switch (kind, value) {
        case (_, .string(let text)): text
        case (.number, .integer(let number)): String(number)
        case (.flag, .bool(let flag)): String(flag)
        default: nil
        }
    }
}
