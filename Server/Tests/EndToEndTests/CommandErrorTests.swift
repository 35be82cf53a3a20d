import Foundation
@_spi(Inlay) import InlayTesting
import Testing

/// Tests of the errors that commands print.
@Suite(.timeLimit(.minutes(5))) struct CommandErrorTests {
    /// The arguments of a command that fails, and a part of what it prints. `@` stands for the test's folder.
    private static let failures = [
        ("serve --public-url nowhere", "The setting publicUrl must be"),
        ("key create harbor --public-key @/missing", "cannot be used. It cannot be read."),
        ("key create harbor --private-key @/no-folder.txt/key", "Error: @/no-folder.txt: "),
        ("key secret nowhere", #"There is no environment "nowhere"."#),
        ("key oauth nowhere", #"There is no environment "nowhere"."#),
        ("key oauth harbor --revoke oc_1", "There is no such client in this environment."),
        ("key application nowhere", #"There is no environment "nowhere"."#),
        ("key application harbor --revoke-secret ias_1", "There is no secret ias_1 in harbor."),
        ("key ads nowhere", #"There is no environment "nowhere"."#),
        ("key token maya --private-key @/missing", "cannot be used. It cannot be read."),
        ("key list harbor --database sqlite:@/broken", "Error: not-a-database: "),
        ("key revoke harbor ak_1", "There is no such key in this environment."),
        ("key lost-secret --database sqlite:@/broken", "Error: not-a-database: "),
        ("key content list harbor main --database sqlite:@/broken", "Error: not-a-database: "),
        ("key content make nowhere main", #"There is no environment "nowhere"."#),
        ("key content make harbor main --kind rsa", "--kind: "),
        ("key content rotate harbor main root", "There is no such content source in this environment."),
        ("key content rotate harbor main boss", "A role is root, targets, snapshot or timestamp."),
        ("key content renew harbor main", "There is no such content source in this environment."),
        ("key content renew harbor main --root-key @/missing", "There is no file @/missing."),
        ("key content add harbor main boss", "A role is root, targets, snapshot or timestamp."),
        ("key content take-out harbor main boss 12345678", "A role is root, targets, snapshot or timestamp."),
        ("key content threshold harbor main boss 2", "A role is root, targets, snapshot or timestamp."),
        ("key content export harbor main --to @/out", "There is no such"),
        ("key content carry-over --from sqlite:@/broken", "Error: not-a-database: "),
        ("publish @/missing --environment harbor --check", "This is no folder."),
        ("publish @ --environment harbor --source UPPER", "--source: "),
        ("user list --database sqlite:@/broken", "Error: not-a-database: "),
        ("user add ada --role boss", "The role is admin, editor or analyst."),
        ("user password nobody", #"There is no operator "nobody"."#),
        ("user role nobody editor", #"There is no operator "nobody"."#),
        ("user disable nobody", #"There is no operator "nobody"."#),
        ("user enable nobody", #"There is no operator "nobody"."#),
        ("erase harbor nobody", "There is no such user in this environment."),
        ("backup @/copy --database sqlite:@/missing", "There is no database at @/missing"),
        ("restore @/missing", "There is no file @/missing that can be read. Nothing was changed."),
        ("preview @/missing", "Error: @/missing/index.json: "),
        ("tuf-client refresh --metadata-dir @/tuf", "--metadata-url is missing"),
        ("bidder --banner @/missing", "cannot be used. It cannot be read."),
        ("device simulate --devtools https://127.0.0.1:9", "--devtools is an address"),
        ("device simulate --devtools http://127.0.0.1:9 --wifi harbor", "--wifi is NAME=PASSWORD."),
        ("device app --screen nothing", "No screen is called nothing."),
    ]

    /// Runs a command with a database in the folder.
    private func run(_ arguments: String, in folder: TemporaryFolder) async throws -> ServerProcess.Outcome {
        let words = arguments.replacing("@", with: folder.url.path).split(separator: " ").map(String.init)
        let settings = [
            "INLAY_DATABASE": "sqlite:\(folder.url.path)/data/inlay.sqlite", "INLAY_LOG_LEVEL": "critical",
        ]
        return try await ServerProcess.outcome(of: words, settings: settings, in: folder)
    }

    @Test func `an error of any command says what is wrong, and no usage`() async throws {
        let folder = try TemporaryFolder()
        let text = Data(String(repeating: "This is no database.\n", count: 100).utf8)
        try text.write(to: folder.url.appendingPathComponent("broken"))
        try text.write(to: folder.url.appendingPathComponent("no-folder.txt"))
        let made = try await run("key create harbor --private-key @/key.pem", in: folder)
        #expect(made.status == 0, "\(made.error)")
        for (arguments, message) in Self.failures {
            let failed = try await run(arguments, in: folder)
            let words = message.replacing("@", with: folder.url.path)
            #expect(failed.status == 1, "\(arguments)")
            #expect(failed.error.contains(words), "\(arguments): \(failed.error)")
            #expect(!failed.error.lowercased().contains("usage:"), "\(arguments): \(failed.error)")
            #expect(!failed.error.contains("Domain="), "\(arguments): \(failed.error)")
        }
    }

    @Test func `arguments that cannot be understood are answered with the usage`() async throws {
        let folder = try TemporaryFolder()
        for arguments in [
            "key ads harbor --at-once", "user add", "publish @ --environment harbor --server nowhere",
        ] {
            let failed = try await run(arguments, in: folder)
            #expect(failed.status == 64, "\(arguments)")
            #expect(failed.error.lowercased().contains("usage:"), "\(arguments): \(failed.error)")
        }
    }

    @Test func `every command but the demo is in the table`() async throws {
        let help = try await run("--experimental-dump-help", in: TemporaryFolder())
        let tree = try JSONDecoder().decode(Tree.self, from: Data(help.output.utf8))
        let commands = tree.command.paths.map { String($0.dropFirst("inlay ".count)) }
        #expect(commands.count > 25)
        for command in commands where !["demo", "help"].contains(command) {
            #expect(Self.failures.contains { "\($0.0) ".hasPrefix("\(command) ") }, "\(command)")
        }
    }

    private struct Tree: Decodable { let command: Command }

    private struct Command: Decodable {
        let commandName: String
        let subcommands: [Command]?

        /// The full names of the commands without subcommands.
        var paths: [String] {
            guard let subcommands, !subcommands.isEmpty else { return [commandName] }
            return subcommands.flatMap(\.paths).map { "\(commandName) \($0)" }
        }
    }
}
