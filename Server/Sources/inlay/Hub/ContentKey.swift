import ArgumentParser
import Foundation
import InlayCardsServer
import InlayHubServer
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// `inlay key content`: manages the keys that sign a content source.
struct ContentKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "content",
        abstract: "Create, rotate and retire the keys that sign a content source.",
        discussion: """
            Four roles sign a source: root signs the keys of all roles, targets the files, snapshot the versions that \
            belong together, timestamp the newest snapshot. The server stores the keys encrypted; root keys can be \
            kept in files instead, away from it. Docs/Publishing.md describes what to do about a lost key.
            """,
        subcommands: [
            Make.self, List.self, Rotate.self, Renew.self, Add.self, TakeOut.self, Threshold.self,
            Export.self, CarryOver.self,
        ],
        defaultSubcommand: List.self)

    /// The options that name a content source.
    struct SourceKey: ParsableArguments {
        @OptionGroup var options: ServerOptions
        @Argument(help: "The environment's id.") var environment: EnvironmentID
        @Argument(help: "The content source.") var source: HubSourceID
    }

    /// The option for root keys that are kept in files.
    struct RootKeys: ParsableArguments {
        @Option(help: "A file with a root key that the server does not store; repeatable.")
        var rootKey: [String] = []

        func pairs() throws -> [TrustKeyPair] { try rootKey.map(KeyFile.read) }
    }

    /// `inlay key content make`: creates the first keys.
    struct Make: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create the first keys and root of a source, and the source if it does not exist.",
            discussion:
                "Without this command the first publish creates one key for each role, all stored by the server."
        )

        @OptionGroup var place: SourceKey
        @Option(help: "ed25519 or ecdsa-sha2-nistp256.") var kind = TrustKeyPair.Kind.ed25519.rawValue
        @Option(
            help: "A file for a root key outside the server; created with mode 0600 if it does not exist.")
        var rootFile: [String] = []
        @Option(help: "The number of root keys that must sign every later root.") var rootThreshold = 1

        func run() async throws {
            guard let kind = TrustKeyPair.Kind(rawValue: kind) else {
                throw CommandError(
                    "--kind: " + TrustKeyPair.Kind.allCases.map(\.rawValue).joined(separator: ", "))
            }
            try await place.options.withServices { hub, services in
                guard try await services.environments.environment(place.environment) != nil else {
                    throw Problem.notFound("environment", named: place.environment.rawValue)
                }
                if try await hub.content.source(place.environment, place.source) == nil {
                    try await hub.content.createSource(
                        place.environment, id: place.source, name: place.source.rawValue)
                }
                let root = try rootFile.map { try KeyFile.readOrMake($0, kind) }
                try await hub.publisher.createKeys(
                    place.environment, place.source, kind: kind, root: root, threshold: rootThreshold)
                try await services.recordCommand(
                    "created content keys", place.source.rawValue, place.environment)
                try await ContentKey.show(hub, place)
            }
        }
    }

    /// `inlay key content list`: shows the keys.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the keys of a source.")
        @OptionGroup var place: SourceKey

        func run() async throws {
            try await place.options.withServices { hub, _ in try await ContentKey.show(hub, place) }
        }
    }

    /// `inlay key content rotate`: replaces a key by a new one.
    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace a key of a role by a new one.",
            discussion: """
                The role's other keys and its threshold stay. Devices learn of the change from the next root; no release \
                of the app is needed. Enough of the old and of the new root keys must be available.
                'lost' in place of a role replaces all keys that 'inlay key lost-secret' deleted; it takes neither \
                a key's id nor --file.
                """)

        @OptionGroup var place: SourceKey
        @OptionGroup var rootKeys: RootKeys
        @Argument(help: "root, targets, snapshot, timestamp or lost.") var role: String
        @Argument(
            help:
                "The id of the key to replace, or its first 8 characters or more; not needed if the role has one key."
        ) var key: String?
        @Option(help: "Store the new key in this file instead of in the server (root only).") var file:
            String?

        func validate() throws {
            guard role == "lost", key != nil || file != nil else { return }
            throw ValidationError(
                """
                'lost' replaces all deleted keys, and the server stores the new ones: give neither a key's id nor \
                --file.
                """)
        }

        func run() async throws {
            if role == "lost" { return try await replaceLost() }
            let role = try ContentKey.role(role, isInFile: file != nil)
            let action = "rotated content key"
            try await ContentKey.change(place, rootKeys, action: action, role.rawValue) { hub in
                let keys = try await hub.keys.keys(place.environment, place.source)
                let old = keys.first { $0.role == role && $0.retiredAt == nil && $0.id.hasPrefix(key ?? "") }
                let kind = old?.kind ?? .ed25519
                let pair = try file.map { try KeyFile.readOrMake($0, kind) } ?? .generate(kind)
                let name = "Rotated \(role.rawValue) key"
                return [.replace(role, key, pair, name: name, isOnline: file == nil)]
            }
        }

        /// Replaces all lost keys in one root, because the remaining keys could not sign several roots in turn.
        private func replaceLost() async throws {
            try await ContentKey.change(place, rootKeys, action: "rotated content key", "lost") { hub in
                try await hub.keys.replacementsOfLost(place.environment, place.source)
            }
        }
    }

    /// `inlay key content renew`: signs the next root with the same keys.
    struct Renew: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign the next root with the same keys.",
            discussion: """
                Once a year for root keys in files. After a restore of a backup that is older than changes of keys, \
                run it once more often than there were such changes.
                """)

        @OptionGroup var place: SourceKey
        @OptionGroup var rootKeys: RootKeys

        func run() async throws {
            try await ContentKey.change(place, rootKeys, action: "renewed content root", "root") { _ in [] }
        }
    }

    /// `inlay key content add`: adds a key to a role.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a key to a role.")

        @OptionGroup var place: SourceKey
        @OptionGroup var rootKeys: RootKeys
        @Argument(help: "root, targets, snapshot or timestamp.") var role: String
        @Option(help: "The key's name.") var name = "Further key"
        @Option(help: "Store the key in this file instead of in the server (root only).") var file: String?

        func run() async throws {
            let role = try ContentKey.role(role, isInFile: file != nil)
            try await ContentKey.change(place, rootKeys, action: "added content key", role.rawValue) { _ in
                let pair = try file.map { try KeyFile.readOrMake($0, .ed25519) } ?? .generate()
                return [.add(role, pair, name: name, isOnline: file == nil)]
            }
        }
    }

    /// `inlay key content take-out`: removes a key from its role.
    struct TakeOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a key from its role. What it signs is refused from then on.")

        @OptionGroup var place: SourceKey
        @OptionGroup var rootKeys: RootKeys
        @Argument(help: "The key's role.") var role: String
        @Argument(help: "The key's id, or its first 8 characters or more.") var key: String

        func run() async throws {
            let role = try ContentKey.role(role)
            try await ContentKey.change(place, rootKeys, action: "took out content key", key) { _ in
                [.remove(role, key)]
            }
        }
    }

    /// `inlay key content threshold`: sets how many keys must sign.
    struct Threshold: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set the number of keys of a role that must sign.")

        @OptionGroup var place: SourceKey
        @OptionGroup var rootKeys: RootKeys
        @Argument(help: "root, targets, snapshot or timestamp.") var role: String
        @Argument(help: "The number of keys.") var count: Int

        func run() async throws {
            let role = try ContentKey.role(role)
            let subject = "\(role.rawValue) \(count)"
            try await ContentKey.change(place, rootKeys, action: "set content threshold", subject) { _ in
                [.threshold(role, count)]
            }
        }
    }

    /// `inlay key content export`: writes the root of trust for an app.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write pubkey.der and the first root, which an app contains to trust a source.")

        @OptionGroup var place: SourceKey
        @Option(help: "The folder to write to.") var to = "."

        func run() async throws {
            try await place.options.withServices { hub, _ in
                let anchor = try await hub.publisher.anchor(place.environment, place.source)
                let folder = URL(fileURLWithPath: to)
                do {
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    try anchor.publicDER.write(to: folder.appendingPathComponent("pubkey.der"))
                    try anchor.root.write(to: folder.appendingPathComponent("root.json"))
                } catch {
                    throw CommandError("The folder \(folder.path) cannot be written to.")
                }
                Output.line("\(folder.path)/pubkey.der\n\(folder.path)/root.json")
            }
        }
    }

    fileprivate static func role(_ text: String, isInFile: Bool = false) throws -> TopLevelRole {
        guard let role = TopLevelRole(rawValue: text) else {
            throw CommandError("A role is root, targets, snapshot or timestamp.")
        }
        guard !isInFile || role == .root else {
            throw CommandError("Only root keys may be kept in files: the others sign while you sleep.")
        }
        return role
    }

    /// Signs the next root with changed keys, records it in the audit log, and shows the keys.
    fileprivate static func change(
        _ place: SourceKey, _ rootKeys: RootKeys, action: String, _ subject: String,
        _ changes: (HubFeature) async throws -> [HubKeyChange]
    ) async throws {
        try await place.options.withServices { hub, services in
            try await hub.publisher.changeKeys(
                place.environment, place.source, try await changes(hub), rootKeys: try rootKeys.pairs())
            try await services.recordCommand(action, "\(place.source) \(subject)", place.environment)
            try await show(hub, place)
        }
    }

    fileprivate static func show(_ hub: HubFeature, _ place: SourceKey) async throws {
        for key in try await hub.keys.keys(place.environment, place.source) {
            let state = key.retiredAt != nil ? "taken out" : key.isOnline ? "held by the server" : "in a file"
            Output.line(
                "\(key.id.prefix(16))  \(key.role.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0))  \(key.kind.rawValue)  \(state)  \(key.name)"
            )
        }
    }
}
