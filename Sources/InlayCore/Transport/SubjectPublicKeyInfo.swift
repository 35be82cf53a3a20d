import Crypto
public import Foundation

extension CertificatePin {
    /// The pin of a certificate in DER form; `nil` when the bytes are no X.509 certificate.
    public init?(certificateDER certificate: Data) {
        guard let info = SubjectPublicKeyInfo.bytes(ofCertificate: certificate) else { return nil }
        self.init(digest: Data(SHA256.hash(data: info)))
    }
}

/// A parser that finds the subject public key info of a certificate.
///
/// It reads only as much ASN.1 as it takes to skip the fields before the key info; every length is checked.
enum SubjectPublicKeyInfo {
    /// Returns the whole element, tag and length included, of which SPKI digests are made.
    static func bytes(ofCertificate certificate: Data) -> Data? {
        var outer = Elements(certificate)
        guard let whole = outer.next(), whole.tag == sequence else { return nil }
        var parts = Elements(whole.content)
        guard let toBeSigned = parts.next(), toBeSigned.tag == sequence else { return nil }
        var fields = Elements(toBeSigned.content)
        guard var field = fields.next() else { return nil }
        // The version is left out by certificates of version 1.
        if field.tag == explicitVersion {
            guard let serial = fields.next() else { return nil }
            field = serial
        }
        guard field.tag == integer else { return nil }
        // Signature algorithm, issuer, validity, subject.
        for _ in 0..<4 {
            guard fields.next()?.tag == sequence else { return nil }
        }
        guard let info = fields.next(), info.tag == sequence else { return nil }
        return info.whole
    }

    private static let sequence: UInt8 = 0x30
    private static let integer: UInt8 = 0x02
    private static let explicitVersion: UInt8 = 0xA0

    private struct Element {
        let tag: UInt8
        let content: Data
        let whole: Data
    }

    private struct Elements {
        private var rest: Data

        init(_ data: Data) { rest = data }

        mutating func next() -> Element? {
            var position = rest.startIndex
            guard let tag = byte(&position), let length = length(&position),
                length <= rest.endIndex - position
            else { return nil }
            let end = position + length
            defer { rest = rest[end...] }
            return Element(tag: tag, content: rest[position..<end], whole: rest[rest.startIndex..<end])
        }

        private func byte(_ position: inout Int) -> UInt8? {
            guard position < rest.endIndex else { return nil }
            defer { position += 1 }
            return rest[position]
        }

        private func length(_ position: inout Int) -> Int? {
            guard let first = byte(&position) else { return nil }
            guard first >= 0x80 else { return Int(first) }
            // Four bytes of length are more than any certificate has.
            guard (1...4).contains(first & 0x7F) else { return nil }
            var length = 0
            for _ in 0..<(first & 0x7F) {
                guard let next = byte(&position) else { return nil }
                length = length << 8 | Int(next)
            }
            return length
        }
    }
}
