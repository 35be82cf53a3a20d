import Crypto
import Foundation
@_spi(Inlay) import InlayCore
import NIOSSL
import X509

/// A certificate authority of one test: a root, an intermediate under it, and leaves under that.
struct TestAuthority {
    let root = IssuedCertificate.makeRoot()
    let intermediate: IssuedCertificate

    init() throws {
        intermediate = try root.issue("Test intermediate", isAuthority: true)
    }

    /// The root certificate in PEM, for a client to trust.
    var rootPEM: String { get throws { try root.certificate.serializeAsPEM().pemString } }

    /// Returns the TLS context of a server that sends a leaf for these names, and the intermediate.
    func serverTLS(
        names: [String] = ["localhost"], addresses: [[UInt8]] = [[127, 0, 0, 1]],
        leaf: IssuedCertificate? = nil
    ) throws -> NIOSSLContext {
        let leaf = try leaf ?? self.leaf(names: names, addresses: addresses)
        let chain = try [leaf, intermediate].map { try NIOSSLCertificate(bytes: $0.der, format: .der) }
        let key = try NIOSSLPrivateKey(bytes: Array(leaf.key.derRepresentation), format: .der)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
    }

    /// Returns a leaf that the intermediate issued; a negative lifetime makes it expired.
    func leaf(
        names: [String] = ["localhost"], addresses: [[UInt8]] = [[127, 0, 0, 1]],
        lifetime: TimeInterval = 3600,
        purpose: ExtendedKeyUsage.Usage = .serverAuth
    ) throws -> IssuedCertificate {
        try intermediate.issue(
            "Test leaf", names: names, addresses: addresses, lifetime: lifetime, purpose: purpose)
    }
}

/// A certificate together with its key.
struct IssuedCertificate {
    let certificate: Certificate
    let key: P256.Signing.PrivateKey

    /// The documented pin, made without the code under test: the hash of the SPKI that the key itself encodes.
    var pin: CertificatePin {
        get throws {
            try CertificatePin(
                sha256: Data(SHA256.hash(data: key.publicKey.derRepresentation)).base64EncodedString())
        }
    }

    var der: [UInt8] { get throws { try certificate.serializeAsPEM().derBytes } }

    static func makeRoot() -> IssuedCertificate {
        let key = P256.Signing.PrivateKey()
        do {
            let name = try DistinguishedName { CommonName("Test root") }
            return try IssuedCertificate(
                certificate: Self.certificate(
                    subject: name, key: key, issuer: name, issuerKey: key,
                    extensions: try Certificate.Extensions {
                        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                    }),
                key: key)
        } catch {
            preconditionFailure("no root: \(error)")
        }
    }

    func issue(
        _ subject: String, isAuthority: Bool = false, names: [String] = [], addresses: [[UInt8]] = [],
        lifetime: TimeInterval = 3600, purpose: ExtendedKeyUsage.Usage = .serverAuth
    ) throws -> IssuedCertificate {
        let key = P256.Signing.PrivateKey()
        let extensions =
            isAuthority
            ? try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
            }
            : try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                try ExtendedKeyUsage([purpose])
                SubjectAlternativeNames(
                    names.map { .dnsName($0) } + addresses.map { .ipAddress(.init(contentBytes: $0[...])) })
            }
        let certificate = try Self.certificate(
            subject: try DistinguishedName { CommonName(subject) }, key: key,
            issuer: self.certificate.subject, issuerKey: self.key, extensions: extensions, lifetime: lifetime)
        return IssuedCertificate(certificate: certificate, key: key)
    }

    private static func certificate(
        subject: DistinguishedName, key: P256.Signing.PrivateKey, issuer: DistinguishedName,
        issuerKey: P256.Signing.PrivateKey, extensions: Certificate.Extensions, lifetime: TimeInterval = 3600
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Date(timeIntervalSinceNow: -7200),
            notValidAfter: Date(timeIntervalSinceNow: lifetime),
            issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(issuerKey))
    }
}
