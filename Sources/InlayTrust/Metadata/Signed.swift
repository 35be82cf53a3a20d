public import Foundation

/// A metadata file: its content, its signatures, and the exact bytes received.
///
/// A value of this type is well formed, but not trusted yet: that takes the keys of the role that vouches for it.
@_spi(Inlay) public struct Signed<Role: TrustRole>: Sendable {
    /// The file's bytes as they were received or published.
    public let bytes: Data

    /// The signed part.
    public let content: Role

    /// The signatures the file came with, valid or not.
    public let signatures: [TrustSignature]

    /// The canonical spelling of the signed part, which signatures are made over.
    public let signedBytes: Data

    /// Reads a file; throws `format` for anything that is not metadata of this kind.
    public init(bytes: Data) throws(TrustError) {
        let json = try TrustJSONParser.parse(bytes)
        let signed = try json.required("signed")
        var signatures: [TrustSignature] = []
        for value in try json.required("signatures").list("signatures") {
            signatures.append(try TrustSignature(json: value))
        }
        guard signatures.count <= SignatureCheck.maximumSignatures else {
            throw TrustError(.endlessData, "\(signatures.count) signatures")
        }
        guard Set(signatures.map { Array($0.keyID.utf8) }).count == signatures.count else {
            throw TrustError(.signature, "a key has signed more than once")
        }
        self.bytes = bytes
        self.signatures = signatures
        content = try Role(json: signed)
        // Made from the received JSON, not from `content`: unknown members are signed too.
        signedBytes = CanonicalJSON.data(signed)
    }

    /// A new file, signed.
    public init(_ content: Role, signers: [any TrustSigner]) throws(TrustError) {
        try self.init(content, signatures: [], signers: signers)
    }

    private init(_ content: Role, signatures: [TrustSignature], signers: [any TrustSigner]) throws(TrustError)
    {
        let signed = content.json
        let signedBytes = CanonicalJSON.data(signed)
        var all = signatures
        for signer in signers {
            all.removeAll { $0.keyID.hasSameBytes(as: signer.key.id) }
            do {
                all.append(
                    TrustSignature(keyID: signer.key.id, value: try signer.signature(over: signedBytes)))
            } catch { throw TrustError(.storage, "key \(signer.key.id) could not sign: \(error)") }
        }
        try self.init(
            bytes: ReadableJSON.data(
                .members([.init("signatures", .array(all.map(\.json))), .init("signed", signed)])))
    }

    /// Returns the same content with more signatures, for publishers whose keys are on several machines.
    public func signed(by signers: [any TrustSigner]) throws(TrustError) -> Signed {
        try Signed(content, signatures: signatures, signers: signers)
    }
}

/// One signature of a metadata file.
@_spi(Inlay) public struct TrustSignature: Sendable, Equatable {
    /// The name of the key that is said to have made it.
    public let keyID: String

    /// The signature, as the key's scheme forms it.
    public let value: Data

    private let unknown: [TrustJSON.Member]

    /// A signature of a key.
    public init(keyID: String, value: Data) {
        (self.keyID, self.value, unknown) = (keyID, value, [])
    }

    init(json: TrustJSON) throws(TrustError) {
        keyID = try json.required("keyid").text("keyid")
        // One unreadable signature must not invalidate the others.
        value = HexBytes.data(try json.required("sig").text("sig")) ?? Data()
        unknown = json.unknown(besides: ["keyid", "sig"])
    }

    var json: TrustJSON {
        .members([.init("keyid", .string(keyID)), .init("sig", .string(HexBytes.text(value)))] + unknown)
    }
}
