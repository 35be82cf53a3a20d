import Crypto
public import Foundation

/// The hashes of a file, by algorithm.
@_spi(Inlay) public struct FileHashes: Sendable, Equatable {
    /// Lower-case hex by algorithm name, `sha256` and `sha512` among them.
    public let values: [String: String]

    /// Hashes by algorithm name.
    public init(_ values: [String: String]) { self.values = values.mapValues { $0.lowercased() } }

    /// The SHA-256 of the bytes.
    public init(of data: Data) { values = ["sha256": HexBytes.text(SHA256.hash(data: data))] }

    init(json: TrustJSON) throws(TrustError) {
        var values: [String: String] = [:]
        for member in try json.members("hashes") {
            values[member.name] = try member.value.text("a hash").lowercased()
        }
        self.values = values
        // Unknown algorithms alone would check nothing at all.
        guard values["sha256"] != nil || values["sha512"] != nil else {
            throw TrustError(.format, "none of the hashes is SHA-256 or SHA-512")
        }
    }

    var json: TrustJSON { .members(values.map { .init($0, .string($1)) }) }

    /// The prefix of the file's name in consistent snapshots.
    var prefix: String { values["sha256"] ?? values["sha512"] ?? "" }

    /// Whether every hash of a known algorithm is that of the bytes.
    public func match(_ data: Data) -> Bool {
        var digest = FileDigest(for: self)
        digest.update(data)
        return digest.matches(self)
    }
}

/// The hashes of bytes that arrive piece by piece.
struct FileDigest {
    private var sha256: SHA256?
    private var sha512: SHA512?

    init(for hashes: FileHashes) {
        if hashes.values["sha256"] != nil { sha256 = SHA256() }
        if hashes.values["sha512"] != nil { sha512 = SHA512() }
    }

    mutating func update(_ data: Data) {
        sha256?.update(data: data)
        sha512?.update(data: data)
    }

    /// Whether all known hashes match; false, too, when there is nothing to compare.
    func matches(_ hashes: FileHashes) -> Bool {
        guard sha256 != nil || sha512 != nil else { return false }
        if let sha256, HexBytes.text(sha256.finalize()) != hashes.values["sha256"] { return false }
        if let sha512, HexBytes.text(sha512.finalize()) != hashes.values["sha512"] { return false }
        return true
    }
}
