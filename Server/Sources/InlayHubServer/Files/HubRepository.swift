package import Foundation
import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire

/// The files that devices fetch: signed metadata and the files of versions, the same bytes for all users.
package struct HubRepository: Sendable {
    let database: any SQLDatabase
    let blobs: HubBlobStore

    /// Returns a metadata file by its published name; `nil` when there is none.
    package func metadata(_ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ name: String)
        async throws
        -> Data?
    {
        guard Self.isMetadata(name), Self.areIDs(environmentID, sourceID) else { return nil }
        return try await database.read { connection in
            try connection.row(
                "SELECT bytes FROM hub_metadata WHERE environment_id = ? AND source_id = ? AND name = ?",
                [.id(environmentID), .id(sourceID), .text(name)])?.blob("bytes")
        }
    }

    /// Returns a file by its path with the hash before the file name; `nil` when no version that is stored has it.
    package func file(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ address: String
    ) async throws -> (blob: HubBlob, media: HubMedia?)? {
        guard let (path, hash) = HubPath.unhashed(address), Self.areIDs(environmentID, sourceID) else {
            return nil
        }
        let size = try await database.read { connection in
            try connection.row(
                "SELECT size FROM hub_files WHERE environment_id = ? AND source_id = ? AND path = ? AND hash = ?",
                [.id(environmentID), .id(sourceID), .text(path), .text(hash)])?.int("size")
        }
        return size.map { (HubBlob(hash: hash, size: $0), HubMedia(path: path)) }
    }

    /// Whether both ids are well-formed. Others are not looked up, because the database refuses some characters.
    private static func areIDs(_ environmentID: EnvironmentID, _ sourceID: HubSourceID) -> Bool {
        HubReference.isID(sourceID.rawValue) && (try? Limits.id(environmentID.rawValue, "environment")) != nil
    }

    private static func isMetadata(_ name: String) -> Bool {
        name.utf8.count <= 64
            && name.wholeMatch(of: /timestamp\.json|[1-9][0-9]{0,17}\.[a-z0-9-]{1,32}\.json/) != nil
    }
}
