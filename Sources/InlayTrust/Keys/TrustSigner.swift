public import Foundation

/// Something that can sign: a key in memory, or one that stays in a vault.
@_spi(Inlay) public protocol TrustSigner: Sendable {
    /// The public half.
    var key: TrustKey { get }

    /// The signature over the bytes, in the form the key's scheme asks for.
    func signature(over bytes: Data) throws -> Data
}
