import ArgumentParser
import Foundation
import InlayServer
import InlayServerCore

/// `inlay backup`: writes a consistent copy of the database while the server runs.
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Write a consistent copy of a SQLite database while the server runs. With PostgreSQL, print how to make one."
    )
    @OptionGroup var options: ServerOptions
    @Argument(help: "The new file.") var file: String

    func run() async throws {
        try await options.withConfiguration { configuration in
            try await DatabaseBackup.run(from: configuration.database.value, to: file)
        }
        Output.line(
            "Written to \(file). It contains personal data and password hashes: protect it like the database."
        )
    }
}

/// `inlay restore`: replaces the database by a backup.
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put a backup in place of the database (SQLite). Stop the server first.",
        discussion: """
            The replaced database is kept beside it as <name>.before-restore-<time>. Content keys that were changed \
            after the backup are copied from it, so that devices accept new content. When that is not possible, the \
            command names the content sources whose devices would be locked out, and changes nothing. So it does where \
            there is no database to replace, as on a new machine, if the backup has content sources with keys: add \
            --allow-lockout there.
            """)
    @OptionGroup var options: ServerOptions
    @Argument(help: "The file that 'inlay backup' wrote.") var file: String
    @Flag(
        help: """
            Restore even if devices of some content sources may refuse all content from then on; also on a new machine.
            """)
    var allowLockout = false

    func run() async throws {
        try await options.withConfiguration { configuration in
            let outcome = try await DatabaseRestore.run(
                from: file, into: configuration.database.value, allowsLockout: allowLockout)
            Output.line(
                outcome.kept.map { "Restored. The replaced database is \($0)." }
                    ?? "Restored. There was no database to replace, so no newer content keys were copied."
            )
            for source in outcome.carriedSources {
                Output.line("Copied newer roots and keys of content source \(source).")
            }
        }
    }
}
