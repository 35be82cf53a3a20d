import Foundation
import InlayWire

/// What a version on this device consists of, taken from the publisher's signed metadata.
struct HubManifest: Codable, Hashable, Sendable {
    /// The publisher's number; only ever grows.
    var version: Int64
    /// The hash of the signed metadata that it came from.
    var metadata: String
    /// When the publisher's word that this version is the newest runs out.
    var expires: Timestamp
    /// Every file by its target path.
    var files: [String: HubFile]

    /// The hashes of all files.
    var hashes: Set<String> { Set(files.values.map(\.sha256)) }

    /// The bytes of all files.
    var size: Int { files.values.reduce(0) { $0 + $1.length } }

    /// Whether the publisher's word still holds at this moment.
    func freshness(at now: Timestamp) -> HubState.Freshness {
        now < expires ? .fresh : .stale(since: expires)
    }
}
