public import Foundation
internal import InlayCore

/// The SHA-256 hash of a certificate's subject public key info, in base64.
public final class AACCertificatePin: NSObject, Sendable {
    /// The base64 text from which the pin was created.
    public let sha256Hash: String

    /// Creates a pin from the base64 form of the raw 32-byte digest.
    ///
    /// Any other text, for example base64 of the digest's hex form, is accepted but matches no certificate.
    public init(sha256Hash: String) { self.sha256Hash = sha256Hash }

    /// The pin as InlayCore's type; `nil` for a text that no certificate can match.
    var pin: CertificatePin? { try? CertificatePin(sha256: sha256Hash) }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? AACCertificatePin)?.sha256Hash == sha256Hash
    }

    public override var hash: Int { sha256Hash.hashValue }
}
