public import Foundation

/// A gate that decides about every connection of the SDK before it is made: requests, sockets, fonts and media.
public protocol RequestGate: Sendable {
    /// Decides about a connection to this address.
    ///
    /// Called often and from any thread, so it must return at once.
    func disposition(for url: URL) -> RequestDisposition
}

/// The gate's decision.
public enum RequestDisposition: Hashable, Sendable {
    /// The connection is made with the system's ordinary checks.
    case allow
    /// No connection is made.
    case deny
    /// The connection is made when any certificate of the server's chain matches any of these pins;
    /// an empty set matches nothing. Over plain http the connection is denied.
    case allowWithPins(Set<CertificatePin>)
}

/// A gate that allows everything; used when the app gives none.
@_spi(Inlay) public struct OpenGate: RequestGate {
    /// An open gate.
    public init() {}

    public func disposition(for url: URL) -> RequestDisposition { .allow }
}

/// The SHA-256 digest of a certificate's subject public key info (SPKI).
public struct CertificatePin: Hashable, Sendable {
    /// The 32 bytes of the digest.
    public let digest: Data

    /// A pin from the base64 form of the raw digest.
    ///
    /// - Throws: `CertificatePin.Malformed` when the text is not base64 of exactly 32 bytes, for example
    ///   when it is base64 of the digest's hex text.
    public init(sha256 base64: String) throws(CertificatePin.Malformed) {
        guard let digest = Data(base64Encoded: base64) else { throw .notBase64 }
        guard digest.count == 32 else { throw .wrongLength(digest.count) }
        self.digest = digest
    }

    /// A pin from the raw digest.
    public init(digest: Data) { self.digest = digest }
}

extension CertificatePin {
    /// The reason why a text is no pin.
    public enum Malformed: Error, Hashable, Sendable {
        case notBase64
        /// A SHA-256 digest has 32 bytes; this many were given.
        case wrongLength(Int)
    }
}
