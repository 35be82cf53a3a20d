import ArgumentParser
import Foundation
import InlayDevicesServer
import InlayHubServer
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayWire

/// `inlay publish`: publishes a folder as the next version of a content source.
struct Publish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Publish a folder of articles as the next version of a content source.",
        discussion: """
            The folder replaces the source's whole content. Everything is checked first; anything wrong is named \
            with its file and line, all at once, and nothing is published. Parts of texts that a page cannot have are \
            named as warnings. Files that the server has already are not sent again. The secret key comes from \
            'inlay key secret'; INLAY_SECRET_KEY keeps it out of the shell's history. Docs/Publishing.md describes the \
            folder.
            """)

    @Argument(help: "The folder.") var folder: String
    @Option(help: "The content source; created if it does not exist.") var source = "main"
    @Option(help: "The environment's id.") var environment: EnvironmentID
    @Option(help: "The server, for example https://inlay.example.com.", transform: BaseURL.argument)
    var server = BaseURL.standard
    @Option(help: "A note on this version for its history.") var note: String?
    @Flag(help: "Only check the folder; nothing is sent.") var check = false

    func run() async throws {
        guard HubReference.isID(source) else {
            throw CommandError("--source: lower-case letters, digits, '-'.")
        }
        let content: HubFolder
        do {
            content = try HubFolder(URL(fileURLWithPath: folder), now: .now())
        } catch let faults as HubFaults {
            throw CommandError(faults.description)
        }
        let manifest = content.manifest
        Output.line("\(manifest.items.count) items, \(manifest.assets.count) files")
        if check { return Self.show(content.warnings) }
        guard let secret = ProcessInfo.processInfo.environment["INLAY_SECRET_KEY"], !secret.isEmpty else {
            throw CommandError(
                "Put the environment's secret key (inlay key secret) into INLAY_SECRET_KEY.")
        }
        let client = try PublishClient(
            server: server.url, environmentID: environment, sourceID: source, secret: secret)
        let publication = try await client.publish(content, note: note)
        Self.show(content.located(publication.warnings))
        Output.line(
            publication.isNew
                ? "Published as version \(publication.version): \(publication.newFiles) new files, \(publication.newBytes) bytes."
                : "Nothing changed; version \(publication.version) is still current.")
    }

    /// Prints the parts of texts that are not on their pages.
    private static func show(_ warnings: [HubFaults.Item]) {
        for warning in warnings { Output.line(warning.text("warning: ")) }
    }
}
