public import Foundation

/// One signature of a metadata file.
public struct TrustSignature: Sendable, Equatable {
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
        // One unreadable signature must not take the others' vote away.
        value = HexBytes.data(try json.required("sig").text("sig")) ?? Data()
        unknown = json.unknown(besides: ["keyid", "sig"])
    }

    var json: TrustJSON {
        .members([.init("keyid", .string(keyID)), .init("sig", .string(HexBytes.text(value)))] + unknown)
    }
}
