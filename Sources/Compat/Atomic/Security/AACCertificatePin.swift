public import Foundation
internal import InlayCore

/// The SHA-256 hash of a certificate's subject public key info, in base64.
public final class AACCertificatePin: NSObject, Sendable {
    /// The base64 text that the pin was made from.
    public let sha256Hash: String

    /// A pin from base64 of the raw 32-byte digest.
    ///
    /// A text that is something else, for example base64 of the digest's hex form, is kept, matches no
    /// certificate, and is named in the debug log when it is used.
    public init(sha256Hash: String) { self.sha256Hash = sha256Hash }

    /// The engine's pin; `nil` for a text that no certificate can match.
    var pin: CertificatePin? { try? CertificatePin(sha256: sha256Hash) }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? AACCertificatePin)?.sha256Hash == sha256Hash
    }

    public override var hash: Int { sha256Hash.hashValue }
}
