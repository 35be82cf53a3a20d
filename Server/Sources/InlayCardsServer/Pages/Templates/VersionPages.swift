import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The published versions of a template; an older one can become the draft again.
///
/// A draft exists once: what was never published is gone when a version takes its place. So that is asked first, and
/// the answer counts only for the draft that was looked at.
struct VersionPages: Sendable {
    let services: ServerServices
    let cards: CardsFeature

    private struct Row {
        let csrf: String
        let number: Int64
        let versionName: String
        let summary: String
        let isCurrent: Bool
        let canRestore: Bool
        /// Whether a page asks first.
        let asks: Bool
        let restorePath: String
        let published: Moment
    }

    private struct Model {
        let head: TemplateHead
        let rows: [Row]
        let hasRows: Bool
    }

    static func routes(_ services: ServerServices, _ cards: CardsFeature) -> [WorkbenchRoute] {
        let pages = VersionPages(services: services, cards: cards)
        let root = "e/:environment/cards/templates/:template/versions"
        return [
            .page(root) { try await pages.list($0) },
            .page("\(root)/:version/restore", for: .editor) { try await pages.confirm($0) },
            .form("\(root)/:version/restore", for: .editor) { try await pages.restore($0) },
        ]
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let template = try await request.found("template", cards.templates.template)
        let versions = try await cards.templates.versions(request.environmentID, template.id)
        let path = request.address("cards", "templates", template.id.rawValue, "versions")
        let asks = Self.isOnlyOne(template, versions)
        let rows = versions.map { version in
            Row(
                csrf: request.csrfToken, number: version.version, versionName: version.draft.name,
                summary: Self.summary(version.draft), isCurrent: version.version == template.publishedVersion,
                canRestore: request.may(.editor) && version.draft != template.draft,
                asks: asks, restorePath: "\(path)/\(version.version)/restore",
                published: request.moment(version.publishedAt))
        }
        let head = TemplateHead(template, tab: "/versions", for: request)
        return .page(
            "\(template.draft.name): versions", "cards/versions",
            Model(head: head, rows: rows, hasRows: !rows.isEmpty))
    }

    /// Asks before an unpublished draft is gone.
    private func confirm(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let (template, versions, version) = try await found(request)
        let path = request.address("cards", "templates", template.id.rawValue, "versions")
        return .confirm(
            "Restore version \(version.version) as the draft of", template.draft.name,
            Self.isOnlyOne(template, versions)
                ? "The draft as it is now was never published. It will be lost and cannot be restored: only "
                    + "published versions are kept. Users see nothing of this before you publish."
                : "The current draft stays in the list of versions.",
            at: "\(path)/\(version.version)/restore?over=\(template.revision)", back: path, for: request)
    }

    private func restore(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let (template, versions, version) = try await found(request)
        let path = request.address("cards", "templates", template.id.rawValue)
        // Also when somebody saved after the page or the question was drawn.
        guard !Self.isOnlyOne(template, versions) || request.query["over"] == "\(template.revision)" else {
            return .redirect(
                to: "\(path)/versions/\(version.version)/restore",
                Flash("The draft was saved meanwhile. Nothing was changed yet.", isFault: true))
        }
        try await services.audit.record(
            "restored template", version.draft.name, by: request, detail: "version \(version.version)"
        ) {
            _ = try await cards.templates.save(
                request.environmentID, template.id, version.draft, over: template.revision)
        }
        return .redirect(
            to: path, Flash("Version \(version.version) is the draft now. Users see it after you publish it.")
        )
    }

    private func found(
        _ request: WorkbenchRequest
    ) async throws -> (CardTemplate, [CardTemplateVersion], CardTemplateVersion) {
        let template = try await request.found("template", cards.templates.template)
        let wanted = Int64(try request.parameter("version"))
        let versions = try await cards.templates.versions(request.environmentID, template.id)
        guard let version = versions.first(where: { $0.version == wanted }) else {
            throw Problem.notFound("version")
        }
        return (template, versions, version)
    }

    /// Whether the draft stands in no version, so that nothing could bring it back.
    private static func isOnlyOne(_ template: CardTemplate, _ versions: [CardTemplateVersion]) -> Bool {
        template.hasUnpublishedChanges && !versions.contains { $0.draft == template.draft }
    }

    /// Returns the content of a version in one line.
    private static func summary(_ draft: CardTemplateDraft) -> String {
        let headline = draft.definition.elements.lazy.compactMap { element -> String? in
            if case .headline(let text) = element { text } else { nil }
        }.first
        return headline ?? Count.of(draft.definition.elements.count, "element")
    }
}
