import Crypto
import Foundation
import SwiftASN1

/// The part of a certificate that a pin is the digest of.
enum SubjectPublicKeyInfo {
    /// SHA-256 of the SPKI's DER, or `nil` when this is no certificate.
    ///
    /// The bytes are taken as they stand in the certificate. A key that was parsed and written again
    /// may differ from them, for example a compressed point, and then no published pin would match.
    static func digest(ofCertificate der: [UInt8]) -> Data? {
        guard let certificate = try? DER.parse(der), let body = children(of: certificate).first else {
            return nil
        }
        var fields = children(of: body)[...]
        // The version is explicit [0] and missing in certificates of version 1.
        if fields.first?.identifier == ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific) {
            fields = fields.dropFirst()
        }
        // Before the key: serial number, signature algorithm, issuer, validity, subject.
        guard let key = fields.dropFirst(5).first, key.identifier == .sequence else { return nil }
        return Data(SHA256.hash(data: key.encodedBytes))
    }

    private static func children(of node: ASN1Node) -> [ASN1Node] {
        guard node.identifier == .sequence, case .constructed(let nodes) = node.content else { return [] }
        return Array(nodes)
    }
}
