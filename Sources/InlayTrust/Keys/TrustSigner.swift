public import Foundation

/// A signer of metadata: a key in memory, or a key that stays in a vault.
@_spi(Inlay) public protocol TrustSigner: Sendable {
    /// The public key.
    var key: TrustKey { get }

    /// Returns the signature over the bytes, in the form that the key's scheme asks for.
    func signature(over bytes: Data) throws -> Data
}
