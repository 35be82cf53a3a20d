import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

extension HubContentStore {
    /// Saves an announcement and replaces the one with the same id. Devices receive it with the next publish.
    ///
    /// Throws `FieldErrors` with the field names of the announcement, and `conflict` when a new one's id is taken.
    @discardableResult
    package func saveAnnouncement(
        _ environmentID: EnvironmentID, _ id: HubSourceID, _ announcement: HubNotification, isNew: Bool
    ) async throws -> HubSource {
        try await changeAnnouncements(environmentID, id) { list, settings in
            let index = list.firstIndex { $0.id == announcement.id }
            if isNew, index != nil {
                throw Problem(
                    .conflict, status: 409, title: "There is an announcement with this id already.")
            }
            if let index { list[index] = announcement } else { list.append(announcement) }
            do {
                try HubCheck.validate(list, settings)
            } catch let errors as FieldErrors {
                throw Self.renamed(errors, index ?? list.count - 1)
            }
        }
    }

    /// Removes an announcement. Devices cancel it with the next publish.
    package func removeAnnouncement(
        _ environmentID: EnvironmentID, _ id: HubSourceID, _ announcementID: String
    ) async throws {
        try await changeAnnouncements(environmentID, id) { list, _ in
            guard let index = list.firstIndex(where: { $0.id == announcementID }) else {
                throw Problem.notFound("announcement")
            }
            list.remove(at: index)
        }
    }

    /// Reads and writes the announcements in one transaction, so that no concurrent change is lost.
    @discardableResult
    private func changeAnnouncements(
        _ environmentID: EnvironmentID, _ id: HubSourceID,
        _ change: @escaping @Sendable (inout [HubNotification], HubSettings) throws -> Void
    ) async throws -> HubSource {
        let moment = now()
        return try await database.write { connection in
            guard let source = try Self.find(environmentID, id, connection) else {
                throw Problem.notFound("content source")
            }
            var list = source.notifications
            try change(&list, source.settings)
            let row = try connection.row(
                """
                UPDATE hub_sources SET notifications = ?, updated_at = ?
                WHERE environment_id = ? AND id = ? RETURNING *
                """,
                [.text(try HubJSON.text(list)), .moment(moment), .id(environmentID), .id(id)])
            return try Self.required(row)
        }
    }

    /// Returns the errors of one announcement under its own field names; errors of other announcements keep theirs.
    private static func renamed(_ errors: FieldErrors, _ index: Int) -> FieldErrors {
        var renamed = FieldErrors()
        let prefix = "notifications[\(index)]."
        for item in errors.items {
            let field = item.field.hasPrefix(prefix) ? String(item.field.dropFirst(prefix.count)) : item.field
            renamed.add(field == "notifications" ? "id" : field, item.message)
        }
        return renamed
    }
}
