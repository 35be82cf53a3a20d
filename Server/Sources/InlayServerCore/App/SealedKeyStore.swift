package import InlaySQL

/// A store of private keys in a feature's own tables, sealed with the content secret.
///
/// Features do not know each other's tables; the server asks each of them which keys a lost secret makes useless.
package protocol SealedKeyStore: Sendable {
    /// The owner of the keys, in one word: `content` or `ads`. No two stores share it.
    var keyOwner: String { get }

    /// Returns the keys that are still of use.
    func sealedKeys(_ connection: any SQLConnection) throws -> [SealedKey]

    /// Takes keys of this store out of use for good, in the transaction in which other features do the same.
    func discard(_ keys: [SealedKey], _ connection: any SQLConnection) throws
}
