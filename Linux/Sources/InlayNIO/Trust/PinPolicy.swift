import Foundation
import InlayCore
import SwiftASN1
import X509

/// Holds for a chain in which any certificate, from the leaf to the root, has a pinned key.
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
