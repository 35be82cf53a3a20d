import ArgumentParser
import Foundation
import InlayServer

/// `inlay backup`: a consistent copy while the server works.
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a consistent copy of the database while the server works (SQLite; else it says how)."
    )
    @OptionGroup var options: ServerOptions
    @Argument(help: "The new file.") var file: String

    func run() async throws {
        try await DatabaseBackup.run(from: options.configuration().database.value, to: file)
        Output.line(
            "Written to \(file). It holds people's data and password hashes: keep it as safe as the database."
        )
    }
}

/// `inlay restore`: puts a copy in place of the database.
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put a backup in place of the database (SQLite). Stop the server first.",
        discussion: """
            The database so far is kept beside it as <name>.before-restore-<time>. Keys of content that were changed \
            after the backup are taken over from it, so that devices go on; when that cannot be done, the command \
            says whose devices would be lost and changes nothing.
            """)
    @OptionGroup var options: ServerOptions
    @Argument(help: "The file that 'inlay backup' wrote.") var file: String
    @Flag(help: "Restore although devices of some content sources will refuse everything from then on.")
    var allowLockout = false

    func run() async throws {
        let configuration = try await options.configuration()
        let outcome = try await DatabaseRestore.run(
            from: file, into: configuration.database.value, allowsLockout: allowLockout)
        Output.line(
            outcome.kept.map { "Restored. The database so far is \($0)." }
                ?? "Restored. There was no database here, so no newer keys of content could be taken over from it."
        )
        for source in outcome.carriedSources {
            Output.line("Took over newer roots and keys of content source \(source).")
        }
    }
}
