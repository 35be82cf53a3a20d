public import Foundation
@_spi(Inlay) import InlayWire

/// A content file as signed metadata describes it.
@_spi(Inlay) public struct TargetFile: Sendable, Equatable {
    /// The target path: components separated by `/`, relative to the repository's targets.
    public let path: String

    /// The file's exact length in bytes.
    public var length: Int

    /// The file's hashes.
    public var hashes: FileHashes

    /// The publisher's own data; the client ignores it.
    public var custom: TrustJSON?

    private var unknown: [TrustJSON.Member] = []

    /// A target with these contents.
    public init(path: String, contents: Data, custom: TrustJSON? = nil) {
        self.init(path: path, length: contents.count, hashes: FileHashes(of: contents), custom: custom)
    }

    /// A target whose length and hashes are known.
    public init(path: String, length: Int, hashes: FileHashes, custom: TrustJSON? = nil) {
        (self.path, self.length, self.hashes, self.custom) = (path, length, hashes, custom)
    }

    init(path: String, json: TrustJSON) throws(TrustError) {
        self.path = path
        length = try json.required("length").whole("length")
        hashes = try FileHashes(json: json.required("hashes"))
        custom = json["custom"]
        unknown = json.unknown(besides: ["length", "hashes", "custom"])
    }

    var json: TrustJSON {
        var members: [TrustJSON.Member] = [
            .init("length", .integer(Int64(length))), .init("hashes", hashes.json),
        ]
        if let custom { members.append(.init("custom", custom)) }
        return .members(members + unknown)
    }

    /// Throws `signature` unless `data` has the target's length and hashes. Call it before each use of a file, not
    /// only after its download.
    public func verify(_ data: Data) throws(TrustError) {
        guard data.count == length, hashes.match(data) else {
            throw TrustError(.signature, "the bytes are not the signed ones", file: path)
        }
    }

    /// Returns the path at which the file is published. With consistent snapshots, the file name begins with the hash.
    public func publishedPath(consistent: Bool) -> String {
        guard consistent else { return path }
        let parts = path.pathParts
        return (parts.dropLast() + ["\(hashes.prefix).\(parts.last ?? "")"]).joined(separator: "/")
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.path.hasSameBytes(as: right.path) && left.json == right.json
    }
}
