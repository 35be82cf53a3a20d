import NIOSSL
import X509

/// The root certificates to which a server's certificate must chain.
public struct TrustRoots: Sendable {
    private let usesSystem: Bool
    private let own: [NIOSSLCertificate]
    private let parsed: [Certificate]

    /// The roots that the operating system trusts.
    public static let system = TrustRoots(usesSystem: true, own: [], parsed: [])

    /// The roots that the operating system trusts, and the certificates in this PEM text, for example of a
    /// company's own authority.
    ///
    /// - Throws: When the text holds something that is no certificate.
    public static func system(adding pem: String) throws -> TrustRoots {
        try TrustRoots(usesSystem: true, pem: pem)
    }

    /// Only the certificates in this PEM text.
    ///
    /// - Throws: When the text holds something that is no certificate.
    public static func only(_ pem: String) throws -> TrustRoots {
        try TrustRoots(usesSystem: false, pem: pem)
    }

    private init(usesSystem: Bool, own: [NIOSSLCertificate], parsed: [Certificate]) {
        self.usesSystem = usesSystem
        self.own = own
        self.parsed = parsed
    }

    private init(usesSystem: Bool, pem: String) throws {
        let own = try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8))
        self.init(
            usesSystem: usesSystem, own: own,
            parsed: try own.map { try Certificate(derEncoded: $0.toDERBytes()) })
    }

    /// The configuration of connections without pins, whose certificates BoringSSL verifies.
    var tlsConfiguration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        if usesSystem {
            configuration.additionalTrustRoots = own.isEmpty ? [] : [.certificates(own)]
        } else {
            configuration.trustRoots = .certificates(own)
        }
        return configuration
    }

    /// The roots for connections with pins, whose certificates `CertificateTrustEvaluator` verifies.
    var store: CertificateStore {
        usesSystem
            ? CertificateStore.systemTrustRoots.appending(contentsOf: parsed) : CertificateStore(parsed)
    }
}
