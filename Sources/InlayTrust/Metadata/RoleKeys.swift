/// The keys of a role, and the number of them that must sign its metadata.
@_spi(Inlay) public struct RoleKeys: Sendable, Equatable {
    /// The names of the keys.
    public var keyIDs: [String]

    /// The number of different keys that must have signed; at least 1.
    public var threshold: Int

    var unknown: [TrustJSON.Member] = []

    /// Keys by name and their threshold.
    public init(keyIDs: [String], threshold: Int) {
        (self.keyIDs, self.threshold) = (keyIDs, threshold)
    }

    init(json: TrustJSON, besides known: [String] = []) throws(TrustError) {
        keyIDs = try json.required("keyids").texts("keyids")
        threshold = try json.required("threshold").whole("threshold", atLeast: 1)
        guard Set(keyIDs.map { Array($0.utf8) }).count == keyIDs.count else {
            throw TrustError(.format, "a role names a key twice")
        }
        unknown = json.unknown(besides: ["keyids", "threshold"] + known)
    }

    var members: [TrustJSON.Member] {
        [
            .init("keyids", .array(keyIDs.map { .string($0) })),
            .init("threshold", .integer(Int64(threshold))),
        ] + unknown
    }

    /// Whether keys or threshold changed, in whatever order the keys are named.
    func isRotated(to other: RoleKeys) -> Bool {
        Set(keyIDs) != Set(other.keyIDs) || threshold != other.threshold
    }
}

/// The keys of a root or of delegations, by name.
struct KeyList: Sendable, Equatable {
    var keys: [TrustKey]

    init(_ keys: [TrustKey] = []) { self.keys = keys }

    init(json: TrustJSON) throws(TrustError) {
        keys = []
        for member in try json.members("keys") {
            keys.append(try TrustKey(id: member.name, json: member.value))
        }
    }

    var json: TrustJSON { .members(keys.map { .init($0.id, $0.json) }) }

    subscript(id: String) -> TrustKey? { keys.first { $0.id.hasSameBytes(as: id) } }

    mutating func add(_ key: TrustKey) {
        if self[key.id] == nil { keys.append(key) }
    }
}
