import Foundation
@_spi(Inlay) import InlayWire

/// The files of a version on this device, taken from the publisher's signed metadata.
struct HubManifest: Codable, Hashable, Sendable {
    /// The publisher's version number, which only grows.
    var version: Int64
    /// The hash of the signed snapshot metadata from which the manifest was made.
    var metadata: String
    /// The expiry time of the publisher's statement that this version is the newest.
    var expires: Timestamp
    /// Every file by its target path.
    var files: [String: HubFile]

    /// The hashes of all files.
    var hashes: Set<String> { Set(files.values.map(\.sha256)) }

    /// The bytes of all files.
    var size: Int { files.values.reduce(0) { $0 + $1.length } }

    /// Returns whether the publisher's statement is still valid at this moment.
    func freshness(at now: Timestamp) -> HubState.Freshness {
        now < expires ? .fresh : .stale(since: expires)
    }
}

/// One file of a version, as the publisher signed it.
struct HubFile: Codable, Hashable, Sendable {
    /// The length of the file in bytes.
    var length: Int
    /// The SHA-256 of its bytes in lower-case hex; also its name on disk.
    var sha256: String
}
