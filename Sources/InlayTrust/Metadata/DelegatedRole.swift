import Crypto
import Foundation
@_spi(Inlay) import InlayWire

/// One delegation: a role, its keys, and the paths it may speak for.
@_spi(Inlay) public struct DelegatedRole: Sendable, Equatable {
    /// The target paths that are delegated.
    public enum Scope: Sendable, Equatable {
        /// Patterns with `*` and `?`, neither of which matches a `/`.
        case patterns([String])
        /// Beginnings of the SHA-256 of the target path, in hex.
        case hashPrefixes([String])
    }

    /// The role's name; any text but the names of the four top-level roles.
    public let name: String

    /// The keys that speak for the role, by name, and their threshold.
    public var keys: RoleKeys

    /// The paths for which the role may speak.
    public var scope: Scope

    /// Whether the search ends with this role, found or not, for the paths of its scope.
    public var isTerminating: Bool

    /// A delegation to keys.
    public init(
        _ name: String, keys: [TrustKey], threshold: Int = 1, scope: Scope, isTerminating: Bool = false
    ) {
        self.name = name
        self.keys = RoleKeys(keyIDs: keys.map(\.id), threshold: threshold)
        (self.scope, self.isTerminating) = (scope, isTerminating)
    }

    init(json: TrustJSON) throws(TrustError) {
        name = try json.required("name").text("name")
        // Its metadata would replace that of a top-level role in the store.
        guard !name.isEmpty, TopLevelRole(rawValue: name) == nil else {
            throw TrustError(.format, "no role may be called '\(name)'")
        }
        keys = try RoleKeys(json: json, besides: ["name", "paths", "path_hash_prefixes", "terminating"])
        isTerminating = try json.required("terminating").flag("terminating")
        switch (json["paths"], json["path_hash_prefixes"]) {
        case (let paths?, nil): scope = .patterns(try paths.texts("paths"))
        case (nil, let prefixes?): scope = .hashPrefixes(try prefixes.texts("path_hash_prefixes"))
        default:
            throw TrustError(.format, "\(name.prefix(scalars: 80)) needs either paths or path_hash_prefixes")
        }
    }

    var json: TrustJSON {
        let paths: TrustJSON.Member =
            switch scope {
            case .patterns(let patterns): .init("paths", .array(patterns.map { .string($0) }))
            case .hashPrefixes(let prefixes):
                .init("path_hash_prefixes", .array(prefixes.map { .string($0) }))
            }
        return .members(
            keys.members + [.init("name", .string(name)), .init("terminating", .bool(isTerminating)), paths])
    }

    /// Whether the role may speak for a target.
    public func covers(_ path: String) -> Bool {
        switch scope {
        case .patterns(let patterns): return patterns.contains { PathPattern($0).matches(path) }
        case .hashPrefixes(let prefixes):
            let digest = HexBytes.text(SHA256.hash(data: Data(path.utf8)))
            return prefixes.contains { digest.hasPrefix($0.lowercased()) }
        }
    }
}
