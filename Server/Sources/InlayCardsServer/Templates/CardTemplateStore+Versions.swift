import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// One version of a template, as it was published.
package struct CardTemplateVersion: Hashable, Sendable {
    /// The number of the version, from 1.
    package let version: Int64
    /// The draft of that version.
    package let draft: CardTemplateDraft
    package let publishedAt: Timestamp
}

extension CardTemplateStore {
    /// Returns the versions of a template, newest first; at most 100.
    package func versions(_ environmentID: EnvironmentID, _ id: CardTemplateID) async throws
        -> [CardTemplateVersion]
    {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT version, draft, published_at FROM card_layouts WHERE environment_id = ? AND template_id = ?
                ORDER BY version DESC LIMIT 100
                """, [.id(environmentID), .id(id)]
            ).map { row in
                CardTemplateVersion(
                    version: try row.int64("version"), draft: try JSONColumn.value(try row.text("draft")),
                    publishedAt: try row.moment("published_at"))
            }
        }
    }
}
