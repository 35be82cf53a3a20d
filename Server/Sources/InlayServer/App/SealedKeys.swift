import InlaySQL
import InlayWire

/// The private keys in the database that are still of use: of content, and of the ad exchange.
package struct SealedKeys: Sendable {
    /// How many, of each kind.
    package struct Count: Equatable, Sendable {
        /// Of content sources.
        package var content = 0
        /// Of the ad exchange.
        package var ads = 0

        /// Together.
        package var all: Int { content + ads }
    }

    private struct Keys: Sendable {
        let content: [SealedKey]
        let ads: [SealedKey]

        var count: Count { Count(content: content.count, ads: ads.count) }
    }

    private let database: any SQLDatabase
    private let box: SecretBox
    private let content: any SealedKeyStore
    private let ads: any SealedKeyStore

    init(
        database: any SQLDatabase, box: SecretBox, content: any SealedKeyStore, ads: any SealedKeyStore
    ) {
        self.database = database
        self.box = box
        self.content = content
        self.ads = ads
    }

    /// All of them, whatever the content secret is.
    package func all() async throws -> Count { try await keys().count }

    /// All of them, and those that the content secret does not open.
    ///
    /// A file that holds no secret at all, or cannot be read, throws ``ConfigurationError``.
    package func count() async throws -> (all: Count, shut: Count) {
        let keys = try await keys()
        return (keys.count, try shut(keys).count)
    }

    /// Takes what the content secret does not open out of use, for good.
    ///
    /// Content keys are left as if they were kept in files; the exchange makes new keys, and what was signed with
    /// the old ones is refused from now on.
    package func giveUp() async throws -> Count {
        let lost = try shut(try await keys())
        try await database.write { connection in
            try content.giveUp(lost.content, connection)
            try ads.giveUp(lost.ads, connection)
        }
        return lost.count
    }

    private func keys() async throws -> Keys {
        try await database.read { connection in
            Keys(content: try content.sealedKeys(connection), ads: try ads.sealedKeys(connection))
        }
    }

    private func shut(_ keys: Keys) throws -> Keys {
        if box.lacksSecret { return keys }
        return Keys(content: try keys.content.filter(isShut), ads: try keys.ads.filter(isShut))
    }

    private func isShut(_ key: SealedKey) throws -> Bool {
        do {
            _ = try box.unseal(key.sealed, for: key.place)
            return false
        } catch is Problem {
            return true
        }
    }
}
