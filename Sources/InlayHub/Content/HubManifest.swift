import Foundation
@_spi(Inlay) import InlayWire

/// The files of a version on this device, taken from the publisher's signed metadata.
struct HubManifest: Codable, Hashable, Sendable {
    /// The publisher's number; only ever grows.
    var version: Int64
    /// The hash of the signed metadata that it came from.
    var metadata: String
    /// The expiry time of the publisher's statement that this version is the newest.
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

/// One file of a version, as the publisher signed it.
struct HubFile: Codable, Hashable, Sendable {
    /// Its length in bytes.
    var length: Int
    /// The SHA-256 of its bytes in lower-case hex; also its name on disk.
    var sha256: String
}
