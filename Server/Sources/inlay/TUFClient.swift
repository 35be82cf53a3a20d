import ArgumentParser
import AsyncHTTPClient
import Foundation
import InlayServerCore
@_spi(Inlay) import InlayTrust

/// `inlay tuf-client`: runs the device's verifier on any TUF repository.
///
/// It has the command line of the public TUF conformance suite, which tests it.
struct TUFClient: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tuf-client",
        abstract: "Follow any repository of signed content (TUF 1.0) with the device's own verifier.",
        discussion:
            "Exits with 0 when the whole action succeeded, else with 1 and the reason on standard error.")

    /// An action of the client.
    enum Action: String, ExpressibleByArgument, CaseIterable {
        case `init`, refresh, download
    }

    @Argument(help: "init ROOT, refresh, or download.") var action: Action
    @Argument(help: "With init: the file with the first trusted root.") var root: String?
    @Option(help: "Where trusted metadata is kept.") var metadataDir: String
    @Option(help: "The URL of the repository's metadata.") var metadataURL: String?
    @Option(help: "The path of a target to download; may be repeated. The first failure ends the download.")
    var targetName: [String] = []
    @Option(help: "The URL of the repository's targets.") var targetBaseURL: String?
    @Option(help: "The folder that downloads go into.") var targetDir: String?

    func run() async throws {
        do {
            switch action {
            case .`init`: try await begin()
            case .refresh: try await RepositoryFetcher.with { _ = try await client($0).refresh() }
            case .download: try await RepositoryFetcher.with { try await download($0) }
            }
        } catch {
            FileHandle.standardError.write(Data("\(CommandError.printed(error))\n".utf8))
            throw ExitCode(1)
        }
    }

    private func begin() async throws {
        let file = URL(fileURLWithPath: try given(root, "the root's file"))
        try await TrustClient(store: store, mirrors: []).trust(root: Data(contentsOf: file))
    }

    private func download(_ http: HTTPClient) async throws {
        let folder = URL(fileURLWithPath: try given(targetDir, "--target-dir"))
        guard !targetName.isEmpty else { throw CommandError("--target-name is missing") }
        let client = try client(http)
        // A download needs the newest metadata.
        _ = try await client.refresh()
        for name in targetName { _ = try await client.download(name, into: folder) }
    }

    private func client(_ http: HTTPClient) throws -> TrustClient {
        let metadata = try url(metadataURL, "--metadata-url")
        let targets = try targetBaseURL.map { try url($0, "--target-base-url") } ?? metadata
        return try TrustClient(
            store: store, mirrors: [RepositoryFetcher(metadata: metadata, targets: targets, client: http)])
    }

    private var store: FolderMetadataStore { FolderMetadataStore(folder: URL(fileURLWithPath: metadataDir)) }

    private func url(_ text: String?, _ what: String) throws -> URL {
        guard let url = BaseURL(try given(text, what)) else {
            throw CommandError("\(what) must be a URL of http or https, without query and fragment")
        }
        return url.url
    }

    private func given(_ value: String?, _ what: String) throws -> String {
        guard let value else { throw CommandError("\(what) is missing") }
        return value
    }
}
