import Foundation
import InlayCore

/// The version in use on this device: a list of files for each version, and one pointer.
///
/// The switch from one version to the next is the rename of the pointer. Everything that the new version
/// needs is on the disk before, so that a crash at any moment leaves the old version or the new one.
struct HubVersions: Sendable {
    /// The maximum bytes of a version's list of files; a longer one cannot be ours.
    private static let maximumManifestBytes = 64 << 20

    private struct Pointer: Codable {
        var name: String
        var sha256: String
    }

    private let versions: URL
    private let pointer: URL

    init(_ folder: URL) throws(HubError) {
        versions = folder.appendingPathComponent("versions")
        pointer = folder.appendingPathComponent("current")
        try HubFileSystem.makeFolder(versions)
    }

    /// Returns the version in use; `nil` when there is none, or when its files on disk were damaged.
    func current() -> HubManifest? {
        guard let data = HubFileSystem.read(pointer, limit: 4096),
            let pointer = try? JSONDecoder().decode(Pointer.self, from: data), FileHash.isHex(pointer.sha256),
            pointer.name == Self.name(pointer.sha256),
            let body = HubFileSystem.read(
                versions.appendingPathComponent(pointer.name), limit: Self.maximumManifestBytes),
            FileHash.hex(body) == pointer.sha256
        else { return nil }
        return try? JSONDecoder().decode(HubManifest.self, from: body)
    }

    /// Makes a version the one in use. All its files must be on the disk.
    func activate(_ manifest: HubManifest) throws(HubError) {
        let body = try Self.encoded(manifest)
        let hash = FileHash.hex(body)
        let place = versions.appendingPathComponent(Self.name(hash))
        // The folder may have been removed since the start.
        try HubFileSystem.makeFolder(versions)
        if HubFileSystem.read(place, limit: Self.maximumManifestBytes) != body {
            try HubFileSystem.replace(body, at: place)
        }
        try HubFileSystem.replace(try Self.encoded(Pointer(name: Self.name(hash), sha256: hash)), at: pointer)
    }

    /// Deletes the lists of all versions but the one in use.
    func prune() {
        guard let data = HubFileSystem.read(pointer, limit: 4096),
            let pointer = try? JSONDecoder().decode(Pointer.self, from: data)
        else { return }
        for name in HubFileSystem.names(in: versions) where name != pointer.name {
            try? FileManager.default.removeItem(at: versions.appendingPathComponent(name))
        }
    }

    private static func name(_ hash: String) -> String { hash.prefix(32) + ".json" }

    private static func encoded(_ value: some Encodable) throws(HubError) -> Data {
        let encoder = JSONEncoder()
        // The same version always has the same bytes, hence the same name.
        encoder.outputFormatting = .sortedKeys
        do { return try encoder.encode(value) } catch { throw .storage("\(error)") }
    }
}
