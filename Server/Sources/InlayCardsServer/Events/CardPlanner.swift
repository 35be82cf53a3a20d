import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A builder of an event's plan: the templates, the containers and the values of its cards.
struct CardPlanner {
    let environmentID: EnvironmentID
    let request: CardEventRequest
    let eventID: CardEventID
    let now: Timestamp
    let connection: any SQLConnection

    private struct Published {
        let id: CardTemplateID
        let version: Int64
        let draft: CardTemplateDraft
    }

    /// Returns the plan; throws ``FieldErrors`` for values that a template does not accept.
    func plan() throws -> CardPlan {
        let published = try published()
        try refuseUnknownVariables(published)
        let lifecycleID = request.lifecycleID ?? CardLifecycleID(eventID.rawValue)
        let parts = try published.compactMap { try part($0, lifecycleID) }
        return CardPlan(target: request.target, lifecycleID: lifecycleID, parts: parts)
    }

    private func published() throws -> [Published] {
        let found = try connection.rows(
            """
            SELECT t.id, t.published_version, l.draft FROM card_layouts l
            JOIN card_templates t ON t.environment_id = l.environment_id AND t.id = l.template_id
                AND t.published_version = l.version
            WHERE l.environment_id = ? AND l.event_name = ? AND t.is_enabled = 1 AND t.is_archived = 0
            ORDER BY t.id
            """, [.id(environmentID), .text(request.name)]
        ).map {
            Published(
                id: try $0.id("id"), version: try $0.int64("published_version"),
                draft: try JSONColumn.value(try $0.text("draft")))
        }
        guard let wanted = request.templateID else { return found }
        let chosen = found.filter { $0.id == wanted }
        guard !chosen.isEmpty else {
            throw FieldErrors(
                "templateId",
                "It is not published with the event name \"\(request.name)\", or it is switched off.")
        }
        return chosen
    }

    // A name that no template declares is a sender's mistake; if it were ignored, cards would show the default value.
    private func refuseUnknownVariables(_ published: [Published]) throws {
        guard let values = request.variables, !published.isEmpty else { return }
        let known = Set(published.flatMap { $0.draft.definition.variables.map(\.name) })
        var errors = FieldErrors()
        for name in values.keys.sorted() where !known.contains(name) {
            errors.add(
                "variables.\(name.prefix(scalars: 64))", "No template of this event declares this variable.")
        }
        try errors.throwIfAny()
    }

    private func part(_ template: Published, _ lifecycleID: CardLifecycleID) throws -> CardPlan.Part? {
        let containers = try containers(template.draft)
        guard !containers.isEmpty else { return nil }
        let definition = template.draft.definition
        let embargo = request.embargoUntil ?? definition.embargoSeconds.map { now + .seconds($0) }
        let expiry = request.expiresAt ?? definition.expirySeconds.map { now + .seconds($0) }
        if let embargo, let expiry, embargo > now, expiry <= embargo {
            // Either time may come from the event and the other from the template.
            let field = request.expiresAt == nil ? "embargoUntil" : "expiresAt"
            throw FieldErrors(
                field, "A card of “\(template.draft.name)” would end before its embargo does.")
        }
        let payload = CardPayload(
            eventName: request.name, layoutID: template.id.layoutID(template.version),
            lifecycleID: lifecycleID,
            priority: request.priority ?? template.draft.priority, templateID: template.id,
            templateName: template.draft.name,
            variables: try CardVariables.typed(
                request.variables ?? [:], rounded: request.roundedVariables, for: definition.variables))
        return CardPlan.Part(
            templateID: template.id, version: template.version, containerIDs: containers,
            embargoUntil: embargo.flatMap { $0 > now ? $0 : nil }, expiresAt: expiry,
            payload: try JSONColumn.text(payload))
    }

    /// Returns the containers of the cards. Those that the event names must exist; archived ones of the template are
    /// left out.
    private func containers(_ draft: CardTemplateDraft) throws -> [CardContainerID] {
        if let named = request.containerIDs {
            for (index, id) in named.enumerated()
            where try !id.isWellFormed || ContainerStore.find(environmentID, id, connection) == nil {
                throw FieldErrors("containerIds[\(index)]", "There is no such container.")
            }
            return named
        }
        if !draft.containerIDs.isEmpty {
            return try draft.containerIDs.filter {
                try ContainerStore.find(environmentID, $0, connection) != nil
            }
        }
        return try connection.rows(
            "SELECT id FROM card_containers WHERE environment_id = ? AND is_default = 1 AND is_archived = 0",
            [.id(environmentID)]
        ).map { try $0.id("id") }
    }
}
