@_spi(Inlay) public import InlayWire

/// The fields that every kind of metadata has.
@_spi(Inlay) public struct RoleHeader: Sendable, Equatable {
    /// The version of the specification the metadata follows, `1.x.y`.
    public var specVersion: String

    /// The version of the metadata, from 1; increases with every change.
    public var version: Int

    /// The time from which on the metadata is no longer valid.
    public var expires: Timestamp

    /// A header of this version of the specification.
    public init(version: Int, expires: Timestamp) {
        specVersion = "1.0.34"
        self.version = version
        self.expires = expires
    }

    static let members = ["_type", "spec_version", "version", "expires"]

    /// The maximum version. Not every JSON parser can hold the whole numbers above it, which later versions would need.
    static let maximumVersion = 1 << 53 - 1

    init(type: String, json: TrustJSON) throws(TrustError) {
        let found = try json.required("_type").text("_type")
        guard found.hasSameBytes(as: type) else {
            throw TrustError(.format, "this is metadata of \(found.prefix(scalars: 40)), not of \(type)")
        }
        specVersion = try json.required("spec_version").text("spec_version")
        let parts = specVersion.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts.allSatisfy({ Int($0) != nil }), parts[0] == "1" else {
            throw TrustError(
                .format, "version \(specVersion.prefix(scalars: 40)) of the specification is not known")
        }
        version = try Self.version(json)
        expires = try ExpiryDate.parse(json.required("expires").text("expires"))
    }

    /// Returns the member `version` of a role, or of an entry for another file.
    static func version(_ json: TrustJSON) throws(TrustError) -> Int {
        let version = try json.required("version").whole("version", atLeast: 1)
        guard version <= maximumVersion else {
            throw TrustError(.fastForward, "version \(version) leaves no room for later ones")
        }
        return version
    }

    func json(type: String) -> [TrustJSON.Member] {
        [
            .init("_type", .string(type)), .init("spec_version", .string(specVersion)),
            .init("version", .integer(Int64(version))), .init("expires", .string(ExpiryDate.format(expires))),
        ]
    }
}
