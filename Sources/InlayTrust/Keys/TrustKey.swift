import Crypto
public import Foundation
@_spi(Inlay) import InlayWire

/// A public key as metadata lists it.
///
/// A scheme this version does not know is kept and never verifies anything, so that publishers can add
/// keys of a newer kind, hybrid or post-quantum ones, beside those that today's clients need.
@_spi(Inlay) public struct TrustKey: Sendable, Equatable {
    /// The name that roles and signatures use for the key.
    ///
    /// The name of a key of ours is the SHA-256 of its canonical JSON. Names of other publishers are taken as they are:
    /// signatures are counted by the key itself, so two names for one key gain nothing.
    public let id: String

    /// The kind of key, for example `ed25519` or `ecdsa`.
    public let type: String

    /// The signature scheme, for example `ed25519` or `ecdsa-sha2-nistp256`.
    public let scheme: String

    /// The key as the metadata spells it: hex for Ed25519, PEM for the elliptic curves.
    public let publicValue: String

    /// The whole JSON of the key, with members unknown to this version.
    public let json: TrustJSON

    /// A key as metadata lists it, under its name there.
    init(id: String, json: TrustJSON) throws(TrustError) {
        self.id = id
        self.json = json
        type = try json.required("keytype").text("keytype")
        scheme = try json.required("scheme").text("scheme")
        let value = try json.required("keyval")
        _ = try value.members("keyval")
        // Schemes of the future may have other members.
        if case .string(let text)? = value["public"] { publicValue = text } else { publicValue = "" }
        if scheme == "ed25519", let raw = HexBytes.data(publicValue), Ed25519Point.isSmallOrder(raw) {
            throw TrustError(
                .signature, "anyone can sign for the key \(id.prefix(scalars: 16)), which has a small order")
        }
    }

    /// A key of ours, named by the SHA-256 of its canonical form.
    init(type: String, scheme: String, publicValue: String) {
        self.type = type
        self.scheme = scheme
        self.publicValue = publicValue
        json = .members([
            .init("keytype", .string(type)), .init("scheme", .string(scheme)),
            .init("keyval", .object([.init("public", .string(publicValue))])),
        ])
        id = HexBytes.text(SHA256.hash(data: CanonicalJSON.data(json)))
    }

    /// Whether this version can verify signatures of the key's scheme.
    public var isKnown: Bool { verifier != nil }

    /// Whether the signature over the bytes is this key's; false for unknown schemes and broken keys.
    public func verifies(_ signature: Data, over bytes: Data) -> Bool {
        verifier?.verifies(signature, bytes) ?? false
    }

    /// The key material without its names, so that signatures of one key count once.
    var material: Data? { verifier?.material }

    private var verifier: KeyVerifier? { KeyVerifier(type: type, scheme: scheme, publicValue: publicValue) }
}
