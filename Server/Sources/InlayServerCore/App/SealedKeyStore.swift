package import InlaySQL

/// Keeps private keys in tables of its own, sealed with the content secret.
///
/// Features do not know each other's tables; the application asks each of them what a lost secret takes with it.
package protocol SealedKeyStore: Sendable {
    /// The owner of the keys, in one word: `content` or `ads`. No two stores share it.
    var keyOwner: String { get }

    /// Those that are still of use.
    func sealedKeys(_ connection: any SQLConnection) throws -> [SealedKey]

    /// Takes keys of its own out of use for good, in the transaction in which other features do the same.
    func giveUp(_ keys: [SealedKey], _ connection: any SQLConnection) throws
}
