@_spi(Inlay) public import InlayWire

/// The signed part of one kind of metadata.
@_spi(Inlay) public protocol TrustRole: Sendable, Equatable {
    /// The kind's name, as `_type` says it.
    static var type: String { get }

    /// Version, expiry and the specification's version.
    var header: RoleHeader { get set }

    /// The whole JSON of the role, members unknown to this version included.
    var json: TrustJSON { get }

    /// Reads the signed part; throws `format`, or `fastForward` for a version without successors.
    init(json: TrustJSON) throws(TrustError)
}

extension TrustRole {
    /// The metadata's version, from 1.
    public var version: Int { header.version }

    /// The time from which on the metadata is no longer valid.
    public var expires: Timestamp { header.expires }

    /// Refuses metadata that is expired at the fixed start of an update.
    func checkExpiry(_ name: String, at start: Timestamp) throws(TrustError) {
        guard start < expires else {
            throw TrustError(.freeze, "expired at \(ExpiryDate.format(expires))", file: name)
        }
    }
}
