public import Foundation

/// The identity of one stored file of trusted metadata.
@_spi(Inlay) public enum StoredMetadata: Hashable, Sendable {
    /// The newest trusted metadata of a role, whose name may be any text.
    case role(String)
    /// A root on the chain from the app's root to the newest, which another root replaced.
    case formerRoot(Int)
    /// A verified root that comes with new timestamp or snapshot keys, while the client adopts it in several steps.
    case nextRoot
}

/// A store of trusted metadata, as the exact bytes received.
///
/// A write must be all or nothing across a crash, and must last when it returns.
@_spi(Inlay) public protocol TrustMetadataStore: Sendable {
    /// Returns the file's bytes; `nil` when there is none.
    func read(_ file: StoredMetadata) async throws -> Data?

    /// Writes the file, in the place of an existing one.
    func write(_ bytes: Data, as file: StoredMetadata) async throws

    /// Removes the file; nothing happens when there is none.
    func remove(_ file: StoredMetadata) async throws
}

/// A store in memory, which ends with the process.
@_spi(Inlay) public actor MemoryMetadataStore: TrustMetadataStore {
    /// All files.
    public private(set) var files: [StoredMetadata: Data]

    /// A store with some files.
    public init(_ files: [StoredMetadata: Data] = [:]) { self.files = files }

    public func read(_ file: StoredMetadata) -> Data? { files[file] }

    public func write(_ bytes: Data, as file: StoredMetadata) { files[file] = bytes }

    public func remove(_ file: StoredMetadata) { files[file] = nil }
}
