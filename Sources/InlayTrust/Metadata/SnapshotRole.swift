@_spi(Inlay) public import InlayWire

/// The versions of all targets metadata that belong together.
@_spi(Inlay) public struct SnapshotRole: TrustRole {
    public static let type = "snapshot"

    /// One file of the snapshot.
    public struct File: Sendable, Equatable {
        /// The role's name, without `.json`.
        public let role: String
        /// The file's version, and perhaps its length and hashes.
        public var entry: MetadataEntry

        public static func == (left: Self, right: Self) -> Bool {
            left.role.hasSameBytes(as: right.role) && left.entry == right.entry
        }
    }

    public var header: RoleHeader

    /// The targets roles, in order of their names.
    public private(set) var files: [File]

    private var unknown: [TrustJSON.Member] = []

    /// A snapshot without files; `set` adds them.
    public init(version: Int = 1, expires: Timestamp) {
        header = RoleHeader(version: version, expires: expires)
        files = []
    }

    public init(json: TrustJSON) throws(TrustError) {
        header = try RoleHeader(type: Self.type, json: json)
        files = []
        for member in try json.required("meta").members("meta") where member.name.hasSuffix(".json") {
            files.append(
                File(role: String(member.name.dropLast(5)), entry: try MetadataEntry(json: member.value)))
        }
        files.sort { $0.role.precedes($1.role) }
        unknown = json.unknown(besides: RoleHeader.members + ["meta"])
    }

    public var json: TrustJSON {
        let meta = files.map { TrustJSON.Member($0.role + ".json", $0.entry.json) }
        return .members(header.json(type: Self.type) + [.init("meta", .members(meta))] + unknown)
    }

    /// The snapshot's entry for a role; `nil` when it has none.
    public subscript(role: String) -> MetadataEntry? {
        // A binary search: snapshots of tens of thousands of roles are compared with each other.
        var (low, high) = (0, files.count)
        while low < high {
            let middle = (low + high) / 2
            if files[middle].role.precedes(role) { low = middle + 1 } else { high = middle }
        }
        guard low < files.count, files[low].role.hasSameBytes(as: role) else { return nil }
        return files[low].entry
    }

    /// Adds or replaces a role's file.
    public mutating func set(_ entry: MetadataEntry, for role: String) {
        files.removeAll { $0.role.hasSameBytes(as: role) }
        files.append(File(role: role, entry: entry))
        files.sort { $0.role.precedes($1.role) }
    }

    /// Removes a role's file. Clients that know the role will refuse the snapshot as a rollback.
    public mutating func remove(_ role: String) { files.removeAll { $0.role.hasSameBytes(as: role) } }
}
