import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The published versions of a template; an older one can become the draft again.
///
/// A template has one draft, so restoring a version over a draft that was never published loses that draft. A page asks
/// for confirmation first, and the confirmation is valid only for the revision of the draft that the page was about.
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
        /// Whether a page asks for confirmation before the version is restored.
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

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let template = try await request.found("template", cards.templates.template)
        let versions = try await cards.templates.versions(request.environmentID, template.id)
        let path = request.address("cards", "templates", template.id.rawValue, "versions")
        let asks = Self.isDraftUnpublished(template, versions)
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

    /// Shows the page that asks for confirmation before an unpublished draft is overwritten.
    private func confirm(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let (template, versions, version) = try await found(request)
        let path = request.address("cards", "templates", template.id.rawValue, "versions")
        return .confirm(
            "Restore version \(version.version) as the draft of", template.draft.name,
            Self.isDraftUnpublished(template, versions)
                ? "The draft as it is now was never published. It will be lost and cannot be restored: only "
                    + "published versions are kept. Users see nothing of this before you publish."
                : "The current draft stays in the list of versions.",
            at: "\(path)/\(version.version)/restore?over=\(template.revision)", back: path, for: request)
    }

    private func restore(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let (template, versions, version) = try await found(request)
        let path = request.address("cards", "templates", template.id.rawValue)
        // Also asks again when the draft was saved after the list or the confirmation page was rendered.
        guard
            !Self.isDraftUnpublished(template, versions) || request.query["over"] == "\(template.revision)"
        else {
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

    /// Whether the draft equals no published version, so that it could not be restored once it is overwritten.
    private static func isDraftUnpublished(
        _ template: CardTemplate, _ versions: [CardTemplateVersion]
    ) -> Bool {
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
