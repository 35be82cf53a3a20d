@_spi(Inlay) public import InlayWire

/// The small file that clients request first, with the entry of the newest snapshot.
@_spi(Inlay) public struct TimestampRole: TrustRole {
    public static let type = "timestamp"

    public var header: RoleHeader

    /// The newest snapshot.
    public var snapshot: MetadataEntry

    private var otherFiles: [TrustJSON.Member] = []
    private var unknown: [TrustJSON.Member] = []

    /// A timestamp for a snapshot.
    public init(version: Int = 1, expires: Timestamp, snapshot: MetadataEntry) {
        header = RoleHeader(version: version, expires: expires)
        self.snapshot = snapshot
    }

    public init(json: TrustJSON) throws(TrustError) {
        header = try RoleHeader(type: Self.type, json: json)
        let meta = try json.required("meta")
        snapshot = try MetadataEntry(json: meta.required("snapshot.json"))
        otherFiles = meta.unknown(besides: ["snapshot.json"])
        unknown = json.unknown(besides: RoleHeader.members + ["meta"])
    }

    public var json: TrustJSON {
        let files = [TrustJSON.Member("snapshot.json", snapshot.json)] + otherFiles
        return .members(header.json(type: Self.type) + [.init("meta", .members(files))] + unknown)
    }
}
