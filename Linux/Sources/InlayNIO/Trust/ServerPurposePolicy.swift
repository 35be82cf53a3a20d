import SwiftASN1
import X509

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
