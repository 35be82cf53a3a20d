package import Foundation
@_spi(Inlay) package import InlayWire

/// A folder with the content of a source, read and checked as a whole.
///
/// `hubs/`, `channels/`, `articles/` and `notifications/` hold a file for each item, `assets/` the files that
/// pages use, `templates/` the pages' templates, and `source.md` the settings of the source. See Docs/Publishing.md.
package struct HubFolder: Sendable {
    /// The content to publish.
    package let manifest: HubManifest
    /// The files that hold the bytes of each asset, by path.
    package let files: [String: URL]
    /// The warnings about parts of texts that pages would not show, with file and line. The server, which knows all
    /// settings, returns its own warnings when it publishes.
    package let warnings: [HubFaults.Item]
    private let origins: HubItemFiles

    /// Reads a folder. Throws ``HubFaults`` with everything that is wrong, each with file and line.
    ///
    /// - Parameter now: The date of articles without one. Articles with a later date are not published yet.
    package init(_ folder: URL, now: Timestamp) throws {
        var reader = try HubFolderReader(folder, now: now)
        (manifest, files) = try reader.read()
        warnings = reader.warnings
        origins = reader.origins
    }

    /// Returns the server's warnings with the file and line of each.
    package func located(_ warnings: [HubFaults.Item]) -> [HubFaults.Item] { warnings.map(origins.located) }

    /// Returns the bytes of an asset. Throws ``HubFaults`` when they changed since the folder was read.
    package func data(_ path: String) throws -> Data {
        guard let url = files[path], let blob = manifest.assets[path] else {
            throw HubFaults(path, "There is no such file.")
        }
        let data = try Data(contentsOf: url)
        guard HubBlob(of: data) == blob else {
            throw HubFaults(path, "It changed while it was being published.")
        }
        return data
    }
}
