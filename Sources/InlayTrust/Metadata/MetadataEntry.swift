public import Foundation

/// A metadata file's entry for another file: its version, and perhaps its length and hashes.
@_spi(Inlay) public struct MetadataEntry: Sendable, Equatable {
    /// The version the file must have.
    public var version: Int

    /// The file's length in bytes; `nil` when it is not stated.
    public var length: Int?

    /// The file's hashes; `nil` when they are not stated.
    public var hashes: FileHashes?

    private var unknown: [TrustJSON.Member] = []

    /// An entry for a version alone.
    public init(version: Int) { self.version = version }

    /// An entry for exactly these bytes.
    public init(version: Int, bytes: Data) {
        self.init(version: version)
        (length, hashes) = (bytes.count, FileHashes(of: bytes))
    }

    init(json: TrustJSON) throws(TrustError) {
        version = try RoleHeader.version(json)
        length = try json["length"]?.whole("length")
        if let value = json["hashes"] { hashes = try FileHashes(json: value) }
        unknown = json.unknown(besides: ["version", "length", "hashes"])
    }

    var json: TrustJSON {
        var members: [TrustJSON.Member] = [.init("version", .integer(Int64(version)))]
        if let length { members.append(.init("length", .integer(Int64(length)))) }
        if let hashes { members.append(.init("hashes", hashes.json)) }
        return .members(members + unknown)
    }

    /// Throws `mixAndMatch` for bytes of another length or hash; called before any signature is checked.
    func check(_ bytes: Data, _ name: String) throws(TrustError) {
        if let length, bytes.count != length {
            throw TrustError(.mixAndMatch, "\(bytes.count) bytes instead of \(length)", file: name)
        }
        if let hashes, !hashes.match(bytes) {
            throw TrustError(.mixAndMatch, "not the bytes its hash was published for", file: name)
        }
    }
}
