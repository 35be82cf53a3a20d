import ArgumentParser
import Foundation
import InlayServer
import InlayTrust

/// `inlay key content`: the keys that sign a content source.
struct ContentKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "content",
        abstract: "Make, rotate and take out the keys that sign a content source.",
        discussion: """
            Four roles sign a source: root names the keys of all, targets signs what there is, snapshot what belongs \
            together, timestamp what is newest. The server holds the keys, sealed; root keys may be kept in files \
            instead, away from it. Docs/Publishing.md has the drill for a lost key.
            """,
        subcommands: [
            Make.self, List.self, Rotate.self, Renew.self, Add.self, TakeOut.self, Threshold.self,
            Export.self, CarryOver.self,
        ],
        defaultSubcommand: List.self)

    /// Which source.
    struct Place: ParsableArguments {
        @OptionGroup var options: ServerOptions
        @Argument(help: "The environment's id.") var environment: String
        @Argument(help: "The content source.") var source: String
    }

    /// Root keys that are kept in files.
    struct RootKeys: ParsableArguments {
        @Option(help: "A file with a root key that the server does not hold; may be given several times.")
        var rootKey: [String] = []

        func pairs() throws -> [TrustKeyPair] { try rootKey.map(KeyFile.read) }
    }

    /// `inlay key content make`: the first keys.
    struct Make: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the first keys and root of a source, and the source when it does not exist.",
            discussion: "Without it the first publish makes one key for each role, all held by the server.")

        @OptionGroup var place: Place
        @Option(help: "ed25519 or ecdsa-sha2-nistp256.") var kind = TrustKeyPair.Kind.ed25519.rawValue
        @Option(help: "A file for a root key outside the server; made with mode 0600 when it is not there.")
        var rootFile: [String] = []
        @Option(help: "How many root keys every later root needs.") var rootThreshold = 1

        func run() async throws {
            guard let kind = TrustKeyPair.Kind(rawValue: kind) else {
                throw ValidationError(
                    "--kind: " + TrustKeyPair.Kind.allCases.map(\.rawValue).joined(separator: ", "))
            }
            try await place.options.withServices { hub, services in
                if try await hub.content.source(place.environment, place.source) == nil {
                    try await hub.content.createSource(
                        place.environment, id: place.source, name: place.source)
                }
                let root = try rootFile.map { try KeyFile.readOrMake($0, kind) }
                try await hub.publisher.makeKeys(
                    place.environment, place.source, kind: kind, root: root, threshold: rootThreshold)
                try await services.recordCommand("made content keys", place.source, place.environment)
                try await ContentKey.show(hub, place)
            }
        }
    }

    /// `inlay key content list`: which keys there are.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the keys of a source.")
        @OptionGroup var place: Place

        func run() async throws {
            try await place.options.withServices { hub, _ in try await ContentKey.show(hub, place) }
        }
    }

    /// `inlay key content rotate`: a fresh key in the place of one.
    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put a fresh key in the place of one key of a role.",
            discussion: """
                The role's other keys and its threshold stay. Devices learn of it from the next root; nothing has \
                to be released to a store. Enough root keys of before must be at hand, and enough of after.
                'lost' in the place of a role puts fresh keys in the place of all that 'inlay key lost-secret' gave \
                up; it takes neither a key's id nor --file.
                """)

        @OptionGroup var place: Place
        @OptionGroup var rootKeys: RootKeys
        @Argument(help: "root, targets, snapshot, timestamp or lost.") var role: String
        @Argument(
            help:
                "The id of the key that goes, or at least 8 characters of its beginning; not needed for an only key."
        ) var key: String?
        @Option(help: "Keep the fresh key in this file instead of in the server (root only).") var file:
            String?

        func validate() throws {
            guard role == "lost", key != nil || file != nil else { return }
            throw ValidationError(
                """
                'lost' replaces all keys that were given up, and the server holds the fresh ones: give neither a \
                key's id nor --file.
                """)
        }

        func run() async throws {
            if role == "lost" { return try await replaceLost() }
            let role = try ContentKey.role(role, isInFile: file != nil)
            try await ContentKey.change(place, rootKeys, said: "rotated content key", role.rawValue) { hub in
                let keys = try await hub.keys.keys(place.environment, place.source)
                let old = keys.first { $0.role == role && $0.retiredAt == nil && $0.id.hasPrefix(key ?? "") }
                let kind = old?.kind ?? .ed25519
                let pair = try file.map { try KeyFile.readOrMake($0, kind) } ?? .generate(kind)
                let name = "Rotated \(role.rawValue) key"
                return [.replace(role, key, pair, name: name, isOnline: file == nil)]
            }
        }

        /// All at once: whatever is left of the old keys could not sign what the others have to.
        private func replaceLost() async throws {
            try await ContentKey.change(place, rootKeys, said: "rotated content key", "lost") { hub in
                try await hub.keys.replacementsOfLost(place.environment, place.source)
            }
        }
    }

    /// `inlay key content renew`: the next root, with the same keys.
    struct Renew: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the next root with the same keys.",
            discussion: """
                For root keys in files once a year, and after a restore of a backup that is older than a change \
                of keys: once more than there were such changes.
                """)

        @OptionGroup var place: Place
        @OptionGroup var rootKeys: RootKeys

        func run() async throws {
            try await ContentKey.change(place, rootKeys, said: "renewed content root", "root") { _ in [] }
        }
    }

    /// `inlay key content add`: one more key for a role.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Give a role one more key.")

        @OptionGroup var place: Place
        @OptionGroup var rootKeys: RootKeys
        @Argument(help: "root, targets, snapshot or timestamp.") var role: String
        @Option(help: "What people call the key.") var name = "Further key"
        @Option(help: "Keep the key in this file instead of in the server (root only).") var file: String?

        func run() async throws {
            let role = try ContentKey.role(role, isInFile: file != nil)
            try await ContentKey.change(place, rootKeys, said: "added content key", role.rawValue) { _ in
                let pair = try file.map { try KeyFile.readOrMake($0, .ed25519) } ?? .generate()
                return [.add(role, pair, name: name, isOnline: file == nil)]
            }
        }
    }

    /// `inlay key content take-out`: a key that signs nothing any more.
    struct TakeOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a key out of its role; what it signs is refused from then on.")

        @OptionGroup var place: Place
        @OptionGroup var rootKeys: RootKeys
        @Argument(help: "The key's role.") var role: String
        @Argument(help: "The key's id, or at least 8 characters of its beginning.") var key: String

        func run() async throws {
            let role = try ContentKey.role(role)
            try await ContentKey.change(place, rootKeys, said: "took out content key", key) { _ in
                [.takeOut(role, key)]
            }
        }
    }

    /// `inlay key content threshold`: how many keys must sign.
    struct Threshold: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Set how many keys of a role must sign.")

        @OptionGroup var place: Place
        @OptionGroup var rootKeys: RootKeys
        @Argument(help: "root, targets, snapshot or timestamp.") var role: String
        @Argument(help: "How many.") var count: Int

        func run() async throws {
            let role = try ContentKey.role(role)
            let words = "\(role.rawValue) \(count)"
            try await ContentKey.change(place, rootKeys, said: "set content threshold", words) { _ in
                [.threshold(role, count)]
            }
        }
    }

    /// `inlay key content export`: what an app is built with.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write pubkey.der and the first root, which an app carries to trust a source.")

        @OptionGroup var place: Place
        @Option(help: "The folder to write to.") var to = "."

        func run() async throws {
            try await place.options.withServices { hub, _ in
                let anchor = try await hub.publisher.anchor(place.environment, place.source)
                let folder = URL(fileURLWithPath: to)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try anchor.publicDER.write(to: folder.appendingPathComponent("pubkey.der"))
                try anchor.root.write(to: folder.appendingPathComponent("root.json"))
                Output.line("\(folder.path)/pubkey.der\n\(folder.path)/root.json")
            }
        }
    }

    fileprivate static func role(_ text: String, isInFile: Bool = false) throws -> TopLevelRole {
        guard let role = TopLevelRole(rawValue: text) else {
            throw ValidationError("A role is root, targets, snapshot or timestamp.")
        }
        guard !isInFile || role == .root else {
            throw ValidationError("Only root keys may be kept in files: the others sign while you sleep.")
        }
        return role
    }

    /// Makes the next root with changed keys, notes who did it, and shows the keys.
    fileprivate static func change(
        _ place: Place, _ rootKeys: RootKeys, said: String, _ about: String,
        _ changes: (HubFeature) async throws -> [HubKeyChange]
    ) async throws {
        try await place.options.withServices { hub, services in
            try await hub.publisher.changeKeys(
                place.environment, place.source, try await changes(hub), rootKeys: try rootKeys.pairs())
            try await services.recordCommand(said, "\(place.source) \(about)", place.environment)
            try await show(hub, place)
        }
    }

    fileprivate static func show(_ hub: HubFeature, _ place: Place) async throws {
        for key in try await hub.keys.keys(place.environment, place.source) {
            let state = key.retiredAt != nil ? "taken out" : key.isOnline ? "held by the server" : "in a file"
            Output.line(
                "\(key.id.prefix(16))  \(key.role.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0))  \(key.kind.rawValue)  \(state)  \(key.name)"
            )
        }
    }
}
