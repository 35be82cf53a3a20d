import Foundation
import GRDB
import InlayCore
import InlayWire

extension CardStore {
    /// The appearance that was received last for a container.
    func appearance(_ container: String) async throws -> CardAppearance? {
        let body = try await database.read { database in
            try Data.fetchOne(
                database, sql: "SELECT body FROM card_appearance WHERE container = ?", arguments: [container])
        }
        return body.flatMap { try? JSONDecoder().decode(CardAppearance.self, from: $0) }
    }

    /// Keeps an appearance for the next launch unless a newer one is there.
    func save(_ appearance: CardAppearance, body: Data, container: String) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO card_appearance (container, version, body) VALUES (?, ?, ?)
                    ON CONFLICT (container) DO UPDATE SET version = excluded.version, body = excluded.body
                    WHERE excluded.version > card_appearance.version
                    """, arguments: [container, appearance.version, body])
        }
    }
}
