package import InlaySQL
@_spi(Inlay) import InlayWire

/// The private keys of all features in the database that are still of use.
package struct SealedKeys: Sendable {
    /// Numbers of keys by ``SealedKeyStore/keyOwner``.
    package struct Counts: Equatable, Sendable {
        /// Owners without a key are not in it.
        package let byOwner: [String: Int]

        /// Creates counts; zeros are left out.
        package init(_ byOwner: [String: Int]) { self.byOwner = byOwner.filter { $0.value > 0 } }

        /// The number of one owner's keys.
        package subscript(owner: String) -> Int { byOwner[owner] ?? 0 }

        /// The number of all keys.
        package var all: Int { byOwner.values.reduce(0, +) }
    }

    private typealias Found = (store: any SealedKeyStore, keys: [SealedKey])

    private let database: any SQLDatabase
    private let box: SecretBox
    private let stores: [any SealedKeyStore]

    /// Creates the keys in the stores of all features.
    package init(database: any SQLDatabase, box: SecretBox, stores: [any SealedKeyStore]) {
        self.database = database
        self.box = box
        self.stores = stores
    }

    /// Returns the numbers of all keys, and of those that the content secret does not open.
    ///
    /// A file that holds no secret at all, or cannot be read, throws ``ConfigurationError``.
    package func counts() async throws -> (all: Counts, unreadable: Counts) {
        let found = try await found()
        return (Self.counts(of: found), Self.counts(of: try unreadable(found)))
    }

    /// Returns the numbers of all keys, whatever the content secret is.
    package func all() async throws -> Counts { Self.counts(of: try await found()) }

    /// Takes the keys that the content secret does not open out of use for good, and returns their numbers.
    ///
    /// Content keys are left as if they were kept in files; the exchange makes new keys, and what was signed with
    /// the old ones is refused from now on.
    package func discardUnreadable() async throws -> Counts {
        let lost = try unreadable(try await found())
        try await database.write { connection in
            for (store, keys) in lost { try store.discard(keys, connection) }
        }
        return Self.counts(of: lost)
    }

    private func found() async throws -> [Found] {
        try await database.read { connection in
            try stores.map { ($0, try $0.sealedKeys(connection)) }
        }
    }

    private static func counts(of found: [Found]) -> Counts {
        Counts(Dictionary(found.map { ($0.store.keyOwner, $0.keys.count) }, uniquingKeysWith: +))
    }

    private func unreadable(_ found: [Found]) throws -> [Found] {
        if box.isSecretMissing { return found }
        return try found.map { ($0.store, try $0.keys.filter(isUnreadable)) }
    }

    private func isUnreadable(_ key: SealedKey) throws -> Bool {
        do {
            _ = try box.unseal(key.sealed, for: key.context)
            return false
        } catch is Problem {
            return true
        }
    }
}
