import Foundation

/// The check that enough keys of a role have signed a file.
enum SignatureCheck {
    /// The maximum number of signatures in a file; each costs a public-key operation.
    static let maximumSignatures = 1_024

    /// Throws `signature` when fewer different keys signed than the role's threshold asks for.
    static func verify<Role>(_ file: Signed<Role>, by role: RoleKeys, of keys: KeyList, _ name: String)
        throws(TrustError)
    {
        var signers: Set<Data> = []
        for signature in file.signatures
        where role.keyIDs.contains(where: { $0.hasSameBytes(as: signature.keyID) }) {
            // Counted by the key itself: one key under two names, or one signature twice, is one vote.
            guard let key = keys[signature.keyID], let material = key.material, !signers.contains(material),
                key.verifies(signature.value, over: file.signedBytes)
            else { continue }
            signers.insert(material)
        }
        guard signers.count >= role.threshold else {
            throw TrustError(
                .signature, "signed by \(signers.count) of the role's keys, \(role.threshold) are needed",
                file: name)
        }
    }
}
