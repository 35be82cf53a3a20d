import InlaySQL
import InlayWire

/// One version of a template, as it was published.
package struct CardTemplateVersion: Hashable, Sendable {
    /// From 1.
    package let version: Int64
    /// What its author had written.
    package let draft: CardTemplateDraft
    package let publishedAt: Timestamp
}

extension CardTemplateStore {
    /// The versions of a template, newest first; at most 100.
    package func versions(_ environmentID: String, _ id: String) async throws -> [CardTemplateVersion] {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT version, draft, published_at FROM card_layouts WHERE environment_id = ? AND template_id = ?
                ORDER BY version DESC LIMIT 100
                """, [.text(environmentID), .text(id)]
            ).map { row in
                CardTemplateVersion(
                    version: try row.int64("version"), draft: try CardJSON.value(try row.text("draft")),
                    publishedAt: try row.moment("published_at"))
            }
        }
    }
}
