import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages of one hub, channel or article: form, preview, release, withdrawal, deletion.
struct HubItemPages: Sendable {
    let services: ServerServices
    let hub: HubFeature

    /// The content security policy of a preview: it loads the source's files and nothing else, and runs nothing.
    private static let previewPolicy = [
        "default-src 'none'", "img-src 'self' data:", "media-src 'self'", "style-src 'self' 'unsafe-inline'",
        "font-src 'self'", "form-action 'none'", "base-uri 'none'", "frame-ancestors 'self'",
    ].joined(separator: "; ")

    private struct Model {
        let form: FormModel
        let noun: String
        let isNew: Bool
        let revision: Int64
        let stateText: String?
        let stateStyle: String
        let previewPath: String
        let withdrawPath: String?
        let deletePath: String?
        let canEdit: Bool
    }

    static func routes(_ services: ServerServices, _ hub: HubFeature) -> [WorkbenchRoute] {
        let pages = HubItemPages(services: services, hub: hub)
        let root = "e/:environment/hub/:source/:kind"
        return [
            .page("\(root)/new", for: .editor) { try await pages.blank($0) },
            .form("\(root)/new", for: .editor) { try await pages.create($0) },
            .form("\(root)/new/preview", for: .editor) { try await pages.previewTyped($0) },
            .page("\(root)/:item") { try await pages.show($0) },
            .form("\(root)/:item", for: .editor) { try await pages.submit($0) },
            .page("\(root)/:item/preview") { try await pages.previewSaved($0) },
            .form("\(root)/:item/preview", for: .editor) { try await pages.previewTyped($0) },
            .form("\(root)/:item/withdraw", for: .editor) { try await pages.withdraw($0) },
            .page("\(root)/:item/delete", for: .editor) { try await pages.confirmDelete($0) },
            .form("\(root)/:item/delete", for: .editor) { try await pages.delete($0) },
        ]
    }

    /// The source and kind that the path names. An item's id is unique within them.
    private struct ItemScope {
        let environmentID: EnvironmentID
        let source: HubSource
        let kind: HubKind
    }

    private func scope(_ request: WorkbenchRequest) async throws -> ItemScope {
        ItemScope(
            environmentID: try request.environmentID, source: try await hub.source(request),
            kind: try HubKind.named(try request.parameter("kind")))
    }

    private func item(_ request: WorkbenchRequest, _ scope: ItemScope) async throws -> HubItem {
        let found = try await hub.content.item(
            scope.environmentID, scope.source.id, scope.kind, try request.parameter("item"))
        guard let found else { throw Problem.notFound(scope.kind.rawValue) }
        return found
    }

    // MARK: The form

    private func blank(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let scope = try await scope(request)
        return try await page(
            HubItemForm(FormFields(), scope.kind, in: request.zone), of: nil, in: scope, for: request)
    }

    private func show(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let scope = try await scope(request)
        let item = try await item(request, scope)
        return try await page(
            HubItemForm(item.draft, scope.kind, in: request.zone), of: item, in: scope, for: request)
    }

    private func page(
        _ form: HubItemForm, of item: HubItem?, in scope: ItemScope, revision: Int64? = nil,
        faults: FieldErrors = FieldErrors(), for request: WorkbenchRequest
    ) async throws -> WorkbenchResult {
        let channels = try await channels(scope)
        let pictures = try await hub.content.assets(scope.environmentID, scope.source.id)
            .map(\.path).filter { HubMedia(path: $0)?.isPicture == true }
        let path = request.address("hub", scope.source.id.rawValue, scope.kind.plural, item?.id ?? "new")
        var fields = form.fields(scope.source, channels: channels, pictures: pictures)
        if item == nil {
            let hint = "a–z, digits and -. Links name it; it never changes."
            fields.insert(.line("id", "Id", request.form["id"] ?? "", hint: hint), at: 1)
        }
        let title = item?.draft.title ?? "New \(scope.kind.rawValue)"
        let view = FormModel(
            title, in: (scope.source.name, request.address("hub", scope.source.id.rawValue)), at: path,
            fields: fields, faults: faults, button: "Save", for: request)
        let state = item.map { HubItemState($0, of: scope.source, for: request) }
        let model = Model(
            form: view, noun: scope.kind.rawValue, isNew: item == nil,
            revision: revision ?? item?.revision ?? 0, stateText: state?.text,
            stateStyle: state?.style ?? "", previewPath: path + "/preview",
            withdrawPath: item?.released == nil ? nil : path + "/withdraw",
            deletePath: item == nil ? nil : path + "/delete", canEdit: request.may(.editor))
        return .page(
            title, "hub/item", model, scripts: ["hub.js"], status: faults.items.isEmpty ? 200 : 422)
    }

    private func channels(_ scope: ItemScope) async throws -> [HubItem] {
        try await hub.content.items(scope.environmentID, scope.source.id, .channel)
            .sorted { ($0.draft.title, $0.id) < ($1.draft.title, $1.id) }
    }

    private func create(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let scope = try await scope(request)
        let form = HubItemForm(request.form, scope.kind, in: request.zone)
        do {
            let id = request.form.trimmed("id")
            if id == "new" { throw FieldErrors("id", "Choose another id.") }
            let draft = try await checked(form, scope)
            let made = try await recorded("created", draft.title, id, scope, request) {
                try await hub.content.create(
                    scope.environmentID, scope.source.id, scope.kind, id: id, draft)
            }
            return try await finish(made, scope, request)
        } catch let faults as FieldErrors {
            return try await page(form, of: nil, in: scope, faults: faults, for: request)
        } catch let problem as Problem where problem.code == .conflict {
            let fault = FieldErrors("id", "There is a \(scope.kind.rawValue) with this id already.")
            return try await page(form, of: nil, in: scope, faults: fault, for: request)
        }
    }

    /// Saves the form, and releases or publishes the item as the pressed button requests. After an error, the form is
    /// shown again with the typed values.
    private func submit(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let scope = try await scope(request)
        let known = try await item(request, scope)
        let form = HubItemForm(request.form, scope.kind, in: request.zone)
        let revision = request.form["revision"].flatMap { Int64($0) } ?? known.revision
        do {
            let draft = try await checked(form, scope)
            let saved = try await recorded("saved", draft.title, known.id, scope, request) {
                guard draft != known.draft || revision != known.revision else { return known }
                return try await hub.content.save(
                    scope.environmentID, scope.source.id, scope.kind, known.id, draft, over: revision)
            }
            return try await finish(saved, scope, request)
        } catch let faults as FieldErrors {
            return try await page(
                form, of: known, in: scope, revision: revision, faults: faults, for: request)
        } catch let problem as Problem where problem.code == .conflict {
            let message =
                "Somebody else saved it meanwhile. Open it in another tab to see that version; yours is below, unsaved."
            return try await page(
                form, of: known, in: scope, revision: revision, faults: FieldErrors("title", message),
                for: request)
        }
    }

    private func checked(_ form: HubItemForm, _ scope: ItemScope) async throws -> HubDraft {
        var (draft, faults) = form.draft(channels: try await channels(scope))
        let known = Set(faults.items.map(\.field))
        for item in HubCheck.faults(of: draft, scope.kind).items where !known.contains(item.field) {
            faults.add(item.field, item.message)
        }
        try faults.throwIfAny()
        return draft
    }

    /// Releases and publishes the saved item as the pressed button requests, and redirects.
    private func finish(
        _ item: HubItem, _ scope: ItemScope, _ request: WorkbenchRequest
    ) async throws -> WorkbenchResult {
        let path = request.address("hub", scope.source.id.rawValue, scope.kind.plural, item.id)
        let name = item.draft.title
        let operation = request.form["op"] ?? "save"
        guard operation != "save" else {
            return .redirect(to: path, Flash("Saved “\(name)”. Readers see it after you publish it."))
        }
        try await recorded("released", name, item.id, scope, request) {
            _ = try await hub.content.release(scope.environmentID, scope.source.id, scope.kind, item.id)
        }
        let publish = request.address("hub", scope.source.id.rawValue, "publish")
        guard operation == "publish" else {
            return .redirect(
                to: path,
                Flash(
                    "Released “\(name)”. It is part of the next publish.",
                    next: Flash.Step(label: "Publish", path: publish)))
        }
        do {
            let made = try await hub.publisher.publish(
                scope.environmentID, scope.source.id, by: request.operator.login, note: name)
            try services.audit.record(
                "published \(scope.kind.rawValue)", name, by: request, detail: "\(scope.source.id)/\(item.id)"
            )
            let versions = request.address("hub", scope.source.id.rawValue, "versions")
            let warnings = HubWarningsModel.sentence(about: made.warnings)
            return .redirect(
                to: path,
                Flash(
                    "Published “\(name)” in version \(made.version).\(warnings)",
                    next: made.warnings.isEmpty ? nil : Flash.Step(label: "Show", path: versions)))
        } catch is HubFaults {
            return .redirect(
                to: publish, Flash("“\(name)” is released, but cannot be published yet.", isFault: true))
        }
    }

    /// Runs a change of an item and records it in the audit log.
    private func recorded<Result: Sendable>(
        _ verb: String, _ title: String, _ id: String, _ scope: ItemScope, _ request: WorkbenchRequest,
        _ change: () async throws -> Result
    ) async throws -> Result {
        try await services.audit.record(
            "\(verb) \(scope.kind.rawValue)", title, by: request, detail: "\(scope.source.id)/\(id)",
            with: change)
    }

    // MARK: Preview

    private func previewSaved(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let scope = try await scope(request)
        return try await preview(try await item(request, scope).draft, scope, request)
    }

    private func previewTyped(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let scope = try await scope(request)
        let (draft, _) = HubItemForm(request.form, scope.kind, in: request.zone).draft(channels: [])
        guard draft.body.utf8.count <= HubLimits.maximumBodyBytes else {
            throw FieldErrors("body", "At most \(HubLimits.maximumBodyBytes) bytes.")
        }
        return try await preview(draft, scope, request)
    }

    private func preview(
        _ draft: HubDraft, _ scope: ItemScope, _ request: WorkbenchRequest
    ) async throws -> WorkbenchResult {
        let page = try await hub.publisher.preview(
            scope.environmentID, scope.source.id, draft, scope.kind, date: draft.publishAt ?? request.now)
        // A page refers to its files relative to its published path; the Workbench serves them under another path.
        let files = request.address("hub", scope.source.id.rawValue)
        let html = page.html.replacingOccurrences(of: "=\"../../assets/", with: "=\"\(files)/assets/")
        return .data(
            Data(html.utf8), mediaType: "text/html; charset=utf-8", policy: Self.previewPolicy)
    }

    // MARK: Removal

    private func withdraw(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let scope = try await scope(request)
        let item = try await item(request, scope)
        try await recorded("withdrew", item.draft.title, item.id, scope, request) {
            try await hub.content.withdraw(scope.environmentID, scope.source.id, scope.kind, item.id)
        }
        return .redirect(
            to: request.address("hub", scope.source.id.rawValue, scope.kind.plural, item.id),
            Flash("“\(item.draft.title)” is a draft again. The next publish does not include it."))
    }

    private func confirmDelete(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let scope = try await scope(request)
        let item = try await item(request, scope)
        let path = request.address("hub", scope.source.id.rawValue, scope.kind.plural, item.id)
        return .confirm(
            "Delete", item.draft.title,
            "Readers keep it until the next publish. The draft cannot be restored.",
            at: path + "/delete", back: path, for: request)
    }

    private func delete(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let scope = try await scope(request)
        let item = try await item(request, scope)
        try await recorded("deleted", item.draft.title, item.id, scope, request) {
            try await hub.content.delete(scope.environmentID, scope.source.id, scope.kind, item.id)
        }
        return .redirect(
            to: request.address("hub", scope.source.id.rawValue), Flash("Deleted “\(item.draft.title)”."))
    }
}
