import Foundation
@_spi(Inlay) @testable import InlayTrust

/// Returns the bytes of a signed metadata file with content that our own publisher refuses to sign.
func forgedFile(_ role: some TrustRole, signers: [any TrustSigner]) throws -> Data {
    let signed = CanonicalJSON.data(role.json)
    let signatures = try signers.map {
        TrustSignature(keyID: $0.key.id, value: try $0.signature(over: signed)).json
    }
    return ReadableJSON.data(
        .members([.init("signatures", .array(signatures)), .init("signed", role.json)]))
}
