import Foundation
import InlayCore
import NIOSSL
import SwiftASN1
import X509

/// The verification of a server's certificates for one connection with pins.
///
/// BoringSSL checks everything or nothing: with a custom callback it verifies nothing itself, and without a callback it
/// does not reveal the chain that it has built. So swift-certificates makes the ordinary checks here: path to a trusted
/// root, dates, constraints, purpose and host name. Pins are compared only with the certificates of the verified path,
/// because any server can send the pinned certificate in addition to its own.
struct CertificateTrustEvaluator: Sendable {
    let roots: CertificateStore
    let address: ServerAddress
    let pins: Set<CertificatePin>

    /// Returns the reason why the connection must not be used; `nil` when the certificates are trusted.
    func distrustReason(for sent: [NIOSSLCertificate]) async -> TransportError? {
        let chain = sent.compactMap { try? Certificate(derEncoded: $0.toDERBytes()) }
        guard let leaf = chain.first, chain.count == sent.count else {
            return .untrusted("the server sent a certificate that cannot be read")
        }
        let others = CertificateStore(chain.dropFirst())
        // The pins are a policy of the search, so that of two paths to trusted roots the pinned one is found.
        var pinned = Verifier(rootCertificates: roots) {
            trust()
            PinPolicy(pins: pins)
        }
        if case .validCertificate = await pinned.validate(leaf: leaf, intermediates: others) { return nil }
        var ordinary = Verifier(rootCertificates: roots) { trust() }
        switch await ordinary.validate(leaf: leaf, intermediates: others) {
        case .validCertificate: return .pinMismatch
        case .couldNotValidate(let failures): return .untrusted(Self.reason(failures))
        }
    }

    @PolicyBuilder private func trust() -> some VerifierPolicy {
        RFC5280Policy()
        ServerIdentityPolicy(
            serverHostname: address.isIPAddress ? nil : address.host,
            serverIP: address.isIPAddress ? address.host : nil)
        ServerPurposePolicy()
    }

    private static func reason(_ failures: [CertificateValidationResult.PolicyFailure]) -> String {
        guard let failure = failures.first else { return "the certificate leads to no trusted root" }
        return failure.policyFailureReason.description
    }
}

/// A policy that any certificate of the chain, from the leaf to the root, has a pinned key.
struct PinPolicy: VerifierPolicy {
    let pins: Set<CertificatePin>
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        chain.contains(where: isPinned)
            ? .meetsPolicy : .failsToMeetPolicy(reason: "no certificate has a pinned key")
    }

    private func isPinned(_ certificate: Certificate) -> Bool {
        var serializer = DER.Serializer()
        guard (try? serializer.serialize(certificate)) != nil,
            let pin = CertificatePin(certificateDER: Data(serializer.serializedBytes))
        else { return false }
        return pins.contains(pin)
    }
}

/// A policy that the leaf certificate may be used by a server: its extended key usage is absent or contains
/// server authentication.
struct ServerPurposePolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [.X509ExtensionID.extendedKeyUsage]

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        do {
            guard let purposes = try chain.leaf.extensions.extendedKeyUsage else { return .meetsPolicy }
            return purposes.contains(.serverAuth) || purposes.contains(.any)
                ? .meetsPolicy : .failsToMeetPolicy(reason: "the certificate is not for a server")
        } catch {
            return .failsToMeetPolicy(reason: "the certificate's purpose cannot be read")
        }
    }
}
