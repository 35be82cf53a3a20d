import InlaySQL

/// Keeps private keys in tables of its own, sealed with the content secret.
///
/// Rooms do not know each other's tables; the application asks each of them what a lost secret takes with it.
protocol SealedKeyStore: Sendable {
    /// Those that are still of use.
    func sealedKeys(_ connection: any SQLConnection) throws -> [SealedKey]

    /// Takes keys of its own out of use for good, in the transaction in which other rooms do the same.
    func giveUp(_ keys: [SealedKey], _ connection: any SQLConnection) throws
}
