@_spi(Inlay) public import InlayWire

/// The files of content, and the roles to which other files are delegated.
@_spi(Inlay) public struct TargetsRole: TrustRole {
    public static let type = "targets"

    public var header: RoleHeader

    /// The files this role vouches for, in order of the bytes of their paths.
    public private(set) var targets: [TargetFile]

    /// The roles that paths are delegated to; `nil` for none.
    public var delegations: Delegations?

    private var unknown: [TrustJSON.Member] = []

    /// Metadata for some files; of two with one path the last stays.
    public init(
        version: Int = 1, expires: Timestamp, targets: [TargetFile] = [], delegations: Delegations? = nil
    ) {
        header = RoleHeader(version: version, expires: expires)
        self.targets = []
        self.delegations = delegations
        replaceTargets(targets)
    }

    public init(json: TrustJSON) throws(TrustError) {
        header = try RoleHeader(type: Self.type, json: json)
        targets = []
        for member in try json.required("targets").members("targets") {
            do {
                targets.append(try TargetFile(path: member.name, json: member.value))
            } catch { throw error.about(member.name) }
        }
        if let value = json["delegations"] { delegations = try Delegations(json: value) }
        unknown = json.unknown(besides: RoleHeader.members + ["targets", "delegations"])
    }

    public var json: TrustJSON {
        var members = header.json(type: Self.type)
        members.append(.init("targets", .members(targets.map { .init($0.path, $0.json) })))
        if let delegations { members.append(.init("delegations", delegations.json)) }
        return .members(members + unknown)
    }

    /// The file with exactly this path.
    public subscript(path: String) -> TargetFile? {
        var (low, high) = (0, targets.count)
        while low < high {
            let middle = (low + high) / 2
            if targets[middle].path.precedes(path) { low = middle + 1 } else { high = middle }
        }
        guard low < targets.count, targets[low].path.hasSameBytes(as: path) else { return nil }
        return targets[low]
    }

    /// Sets all files at once; of two with one path the last stays.
    public mutating func replaceTargets(_ files: [TargetFile]) {
        targets = []
        for file in files.enumerated().sorted(by: { left, right in
            left.element.path.hasSameBytes(as: right.element.path)
                ? left.offset < right.offset : left.element.path.precedes(right.element.path)
        }) {
            if let last = targets.last, last.path.hasSameBytes(as: file.element.path) { targets.removeLast() }
            targets.append(file.element)
        }
    }
}
