package import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// An inspector that explains why a user does or does not see a card.
package struct CardInspector: Sendable {
    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// An inspector of a migrated database.
    package init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.now = now
    }

    /// Returns the cards of a user, open and closed, newest first; at most 500. Without a container, the cards of all
    /// containers.
    package func cards(
        _ environmentID: EnvironmentID, _ userID: UserID, containerID: CardContainerID? = nil
    ) async throws -> [CardInspection] {
        let moment = now()
        let filter = containerID == nil ? "" : "AND i.container_id = ?"
        return try await database.read { connection in
            try connection.rows(
                """
                SELECT i.*, c.is_archived FROM card_instances i
                LEFT JOIN card_containers c ON c.environment_id = i.environment_id AND c.id = i.container_id
                WHERE i.environment_id = ? AND i.user_id = ? \(filter)
                ORDER BY i.created_at DESC, i.card_id DESC LIMIT 500
                """, [.id(environmentID), .id(userID)] + (containerID.map { [.id($0)] } ?? [])
            ).map { try CardInspection($0, at: moment) }
        }
    }

    /// Returns the templates of which the user has no open card in the container, and why, sorted by name.
    package func missing(
        _ environmentID: EnvironmentID, _ userID: UserID, containerID: CardContainerID
    ) async throws -> [MissingTemplate] {
        try await database.read { connection in
            let present = try connection.rows(
                """
                SELECT DISTINCT template_id FROM card_instances
                WHERE environment_id = ? AND user_id = ? AND container_id = ? AND is_open = 1
                """, [.id(environmentID), .id(userID), .id(containerID)]
            ).map { try $0.id("template_id", as: CardTemplateID.self) }
            let isDefault =
                try ContainerStore.find(environmentID, containerID, connection)?.isDefault ?? false
            return try connection.rows(
                "SELECT * FROM card_templates WHERE environment_id = ? AND is_archived = 0",
                [.id(environmentID)]
            ).map(CardTemplate.init)
                .filter { !present.contains($0.id) }
                .map { Self.missing($0, containerID, isDefault) }
                .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        }
    }

    private static func missing(
        _ template: CardTemplate, _ containerID: CardContainerID, _ isDefault: Bool
    ) -> MissingTemplate {
        let containers = template.draft.containerIDs
        let isHere = containers.isEmpty ? isDefault : containers.contains(containerID)
        let reason: MissingTemplate.Reason =
            if !template.isPublished { .notPublished } else if !template.isEnabled {
                .switchedOff
            } else if !isHere {
                .notInContainer
            } else { .notSent }
        return MissingTemplate(
            id: template.id, name: template.draft.name, eventName: template.draft.eventName, reason: reason)
    }
}

extension CardInspection {
    init(_ row: SQLRow, at now: Timestamp) throws {
        let payload: CardPayload = try JSONColumn.value(try row.text("payload"))
        self.init(
            id: try row.id("card_id"), containerID: try row.id("container_id"),
            templateID: try row.id("template_id"), layoutVersion: try row.int64("layout_version"),
            templateName: payload.templateName, eventID: try row.id("event_id"),
            lifecycleID: try row.id("lifecycle_id"), priority: payload.priority,
            isSeen: try row.bool("is_seen"), createdAt: try row.moment("created_at"),
            updatedAt: try row.moment("updated_at"), expiresAt: try row.optionalMoment("expires_at"),
            variables: payload.variables, reason: try Self.reason(row, at: now))
    }

    /// Returns the reason at this moment, also for a card that is due and not settled yet.
    private static func reason(_ row: SQLRow, at now: Timestamp) throws -> Reason {
        let updatedAt = try row.moment("updated_at")
        let status = try row.status("status")
        if status.isOpen, let expiry = try row.optionalMoment("expires_at"), expiry <= now {
            return .expired(at: expiry)
        }
        switch status {
        case .embargoed:
            let end = try row.moment("active_at")
            return end > now ? .embargoed(until: end) : try shown(row)
        case .snoozed:
            let end = try row.moment("snoozed_until")
            return end > now ? .snoozed(until: end) : try shown(row)
        case .active: return try shown(row)
        case .completed: return .completed(actionID: try row.optionalText("closed_by"), at: updatedAt)
        case .dismissed: return .dismissed(actionID: try row.optionalText("closed_by"), at: updatedAt)
        case .cancelled: return .cancelled(at: updatedAt)
        case .expired: return .expired(at: try row.optionalMoment("expires_at") ?? updatedAt)
        }
    }

    private static func shown(_ row: SQLRow) throws -> Reason {
        try row.optionalInt64("is_archived") == 0 ? .shown : .containerArchived
    }
}
