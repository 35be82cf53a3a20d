/// One file of a version, as the publisher signed it.
struct HubFile: Codable, Hashable, Sendable {
    /// Its length in bytes.
    var length: Int
    /// The SHA-256 of its bytes in lower-case hex; also its name on disk.
    var sha256: String
}
