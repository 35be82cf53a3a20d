import InlayWire

/// The published versions of a template; an older one can become the draft again.
struct VersionPages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

    private struct Row {
        let csrf: String
        let number: Int64
        let versionName: String
        let summary: String
        let isCurrent: Bool
        let canRestore: Bool
        let restorePath: String
        let published: Moment
    }

    private struct Model {
        let head: TemplateHead
        let rows: [Row]
        let hasRows: Bool
    }

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = VersionPages(services: services, stores: stores)
        let root = "e/:environment/cards/templates/:template/versions"
        return [
            .page(root) { try await pages.list($0) },
            .form("\(root)/:version/restore", for: .editor) { try await pages.restore($0) },
        ]
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let template = try await request.found("template", stores.templates.template)
        let versions = try await stores.templates.versions(request.environmentID, template.id)
        let path = request.address("cards", "templates", template.id, "versions")
        let rows = versions.map { version in
            Row(
                csrf: request.csrfToken, number: version.version, versionName: version.draft.name,
                summary: Self.summary(version.draft), isCurrent: version.version == template.publishedVersion,
                canRestore: request.may(.editor) && version.draft != template.draft,
                restorePath: "\(path)/\(version.version)/restore",
                published: request.moment(version.publishedAt))
        }
        let head = TemplateHead(template, tab: "/versions", for: request)
        return .page(
            "\(template.draft.name): versions", "cards/versions",
            Model(head: head, rows: rows, hasRows: !rows.isEmpty))
    }

    private func restore(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let template = try await request.found("template", stores.templates.template)
        let wanted = Int64(try request.parameter("version"))
        let versions = try await stores.templates.versions(request.environmentID, template.id)
        guard let version = versions.first(where: { $0.version == wanted }) else {
            throw Problem.notFound("version")
        }
        try await stores.templates.save(
            request.environmentID, template.id, version.draft, over: template.revision)
        try await services.audit.record(
            "restored template", version.draft.name, by: request, detail: "version \(version.version)")
        return .redirect(
            to: request.address("cards", "templates", template.id),
            Flash("Version \(version.version) is the draft now. Users see it after you publish it."))
    }

    /// What a version shows, in one line.
    private static func summary(_ draft: CardTemplateDraft) -> String {
        let headline = draft.definition.elements.lazy.compactMap { element -> String? in
            if case .headline(let text) = element { text } else { nil }
        }.first
        return headline ?? Count.of(draft.definition.elements.count, "element")
    }
}
