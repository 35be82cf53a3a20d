import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// Writes one hub, channel or article: form, preview, releasing, taking away.
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
            .form("\(root)/new", for: .editor) { try await pages.make($0) },
            .form("\(root)/new/preview", for: .editor) { try await pages.previewTyped($0) },
            .page("\(root)/:item") { try await pages.show($0) },
            .form("\(root)/:item", for: .editor) { try await pages.take($0) },
            .page("\(root)/:item/preview") { try await pages.previewSaved($0) },
            .form("\(root)/:item/preview", for: .editor) { try await pages.previewTyped($0) },
            .form("\(root)/:item/withdraw", for: .editor) { try await pages.withdraw($0) },
            .page("\(root)/:item/delete", for: .editor) { try await pages.confirmDelete($0) },
            .form("\(root)/:item/delete", for: .editor) { try await pages.delete($0) },
        ]
    }

    /// The source and item that the address names.
    private struct ItemReference {
        let environmentID: EnvironmentID
        let source: HubSource
        let kind: HubKind
    }

    private func place(_ request: WorkbenchRequest) async throws -> ItemReference {
        ItemReference(
            environmentID: try request.environmentID, source: try await hub.source(request),
            kind: try HubKind.named(try request.parameter("kind")))
    }

    private func item(_ request: WorkbenchRequest, _ place: ItemReference) async throws -> HubItem {
        let found = try await hub.content.item(
            place.environmentID, place.source.id, place.kind, try request.parameter("item"))
        guard let found else { throw Problem.notFound(place.kind.rawValue) }
        return found
    }

    // MARK: The form

    private func blank(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let place = try await place(request)
        return try await page(
            HubItemForm(FormFields(), place.kind, in: request.zone), of: nil, at: place, for: request)
    }

    private func show(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let place = try await place(request)
        let item = try await item(request, place)
        return try await page(
            HubItemForm(item.draft, place.kind, in: request.zone), of: item, at: place, for: request)
    }

    private func page(
        _ form: HubItemForm, of item: HubItem?, at place: ItemReference, revision: Int64? = nil,
        faults: FieldErrors = FieldErrors(), for request: WorkbenchRequest
    ) async throws -> WorkbenchResult {
        let channels = try await channels(place)
        let pictures = try await hub.content.assets(place.environmentID, place.source.id)
            .map(\.path).filter { HubMedia.of($0)?.isPicture == true }
        let path = request.address("hub", place.source.id.rawValue, place.kind.plural, item?.id ?? "new")
        var fields = form.fields(place.source, channels: channels, pictures: pictures)
        if item == nil {
            let hint = "a–z, digits and -. Links name it; it never changes."
            fields.insert(.line("id", "Id", request.form["id"] ?? "", hint: hint), at: 1)
        }
        let title = item?.draft.title ?? "New \(place.kind.rawValue)"
        let view = FormModel(
            title, in: (place.source.name, request.address("hub", place.source.id.rawValue)), at: path,
            fields: fields, faults: faults, button: "Save", for: request)
        let state = item.map { HubItemState($0, of: place.source, for: request) }
        let model = Model(
            form: view, noun: place.kind.rawValue, isNew: item == nil,
            revision: revision ?? item?.revision ?? 0, stateText: state?.words,
            stateStyle: state?.style ?? "", previewPath: path + "/preview",
            withdrawPath: item?.released == nil ? nil : path + "/withdraw",
            deletePath: item == nil ? nil : path + "/delete", canEdit: request.may(.editor))
        return .page(
            title, "hub/item", model, scripts: ["hub.js"], status: faults.items.isEmpty ? 200 : 422)
    }

    private func channels(_ place: ItemReference) async throws -> [HubItem] {
        try await hub.content.items(place.environmentID, place.source.id, .channel)
            .sorted { ($0.draft.title, $0.id) < ($1.draft.title, $1.id) }
    }

    private func make(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let place = try await place(request)
        let form = HubItemForm(request.form, place.kind, in: request.zone)
        do {
            let id = request.form.trimmed("id")
            if id == "new" { throw FieldErrors("id", "Choose another id.") }
            let draft = try await checked(form, place)
            let made = try await recorded("created", draft.title, id, place, request) {
                try await hub.content.create(
                    place.environmentID, place.source.id, place.kind, id: id, draft)
            }
            return try await finish(made, place, request)
        } catch let faults as FieldErrors {
            return try await page(form, of: nil, at: place, faults: faults, for: request)
        } catch let problem as Problem where problem.code == .conflict {
            let fault = FieldErrors("id", "There is a \(place.kind.rawValue) with this id already.")
            return try await page(form, of: nil, at: place, faults: fault, for: request)
        }
    }

    /// A press of any button of the form. What was typed is kept in every case.
    private func take(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let place = try await place(request)
        let known = try await item(request, place)
        let form = HubItemForm(request.form, place.kind, in: request.zone)
        let revision = request.form["revision"].flatMap { Int64($0) } ?? known.revision
        do {
            let draft = try await checked(form, place)
            let saved = try await recorded("saved", draft.title, known.id, place, request) {
                guard draft != known.draft || revision != known.revision else { return known }
                return try await hub.content.save(
                    place.environmentID, place.source.id, place.kind, known.id, draft, over: revision)
            }
            return try await finish(saved, place, request)
        } catch let faults as FieldErrors {
            return try await page(
                form, of: known, at: place, revision: revision, faults: faults, for: request)
        } catch let problem as Problem where problem.code == .conflict {
            let words =
                "Somebody else saved it meanwhile. Open it in another tab to see that version; yours is below, unsaved."
            return try await page(
                form, of: known, at: place, revision: revision, faults: FieldErrors("title", words),
                for: request)
        }
    }

    private func checked(_ form: HubItemForm, _ place: ItemReference) async throws -> HubDraft {
        var (draft, faults) = form.draft(channels: try await channels(place))
        let known = Set(faults.items.map(\.field))
        for item in HubCheck.faults(of: draft, place.kind).items where !known.contains(item.field) {
            faults.add(item.field, item.message)
        }
        try faults.throwIfAny()
        return draft
    }

    /// After saving: releases, and publishes, when the button says so.
    private func finish(
        _ item: HubItem, _ place: ItemReference, _ request: WorkbenchRequest
    ) async throws -> WorkbenchResult {
        let path = request.address("hub", place.source.id.rawValue, place.kind.plural, item.id)
        let name = item.draft.title
        let wish = request.form["op"] ?? "save"
        guard wish != "save" else {
            return .redirect(to: path, Flash("Saved “\(name)”. Readers see it after you publish it."))
        }
        try await recorded("released", name, item.id, place, request) {
            _ = try await hub.content.release(place.environmentID, place.source.id, place.kind, item.id)
        }
        let publish = request.address("hub", place.source.id.rawValue, "publish")
        guard wish == "publish" else {
            return .redirect(
                to: path,
                Flash(
                    "Released “\(name)”. It is part of the next publish.",
                    next: Flash.Step(label: "Publish", path: publish)))
        }
        do {
            let made = try await hub.publisher.publish(
                place.environmentID, place.source.id, by: request.operator.login, note: name)
            try services.audit.record(
                "published \(place.kind.rawValue)", name, by: request, detail: "\(place.source.id)/\(item.id)"
            )
            let versions = request.address("hub", place.source.id.rawValue, "versions")
            return .redirect(
                to: path,
                Flash(
                    "Published “\(name)” in version \(made.version).\(HubWarningsModel.words(made.warnings))",
                    next: made.warnings.isEmpty ? nil : Flash.Step(label: "Show", path: versions)))
        } catch is HubFaults {
            return .redirect(
                to: publish, Flash("“\(name)” is released, but cannot be published yet.", isFault: true))
        }
    }

    /// Runs a change of an item with its line in the audit log.
    private func recorded<Result: Sendable>(
        _ verb: String, _ title: String, _ id: String, _ place: ItemReference, _ request: WorkbenchRequest,
        _ change: () async throws -> Result
    ) async throws -> Result {
        try await services.audit.record(
            "\(verb) \(place.kind.rawValue)", title, by: request, detail: "\(place.source.id)/\(id)",
            with: change)
    }

    // MARK: Preview

    private func previewSaved(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let place = try await place(request)
        return try await preview(try await item(request, place).draft, place, request)
    }

    private func previewTyped(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let place = try await place(request)
        let (draft, _) = HubItemForm(request.form, place.kind, in: request.zone).draft(channels: [])
        guard draft.body.utf8.count <= HubLimits.bodyBytes else {
            throw FieldErrors("body", "At most \(HubLimits.bodyBytes) bytes.")
        }
        return try await preview(draft, place, request)
    }

    private func preview(
        _ draft: HubDraft, _ place: ItemReference, _ request: WorkbenchRequest
    ) async throws -> WorkbenchResult {
        let page = try await hub.publisher.preview(
            place.environmentID, place.source.id, draft, place.kind, date: draft.publishAt ?? request.now)
        // A page names its files from where it will stand; here they stand elsewhere.
        let files = request.address("hub", place.source.id.rawValue)
        let html = page.html.replacingOccurrences(of: "=\"../../assets/", with: "=\"\(files)/assets/")
        return .data(
            Data(html.utf8), mediaType: "text/html; charset=utf-8", policy: Self.previewPolicy)
    }

    // MARK: Taking away

    private func withdraw(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let place = try await place(request)
        let item = try await item(request, place)
        try await recorded("withdrew", item.draft.title, item.id, place, request) {
            try await hub.content.withdraw(place.environmentID, place.source.id, place.kind, item.id)
        }
        return .redirect(
            to: request.address("hub", place.source.id.rawValue, place.kind.plural, item.id),
            Flash("“\(item.draft.title)” is a draft again. The next publish does not include it."))
    }

    private func confirmDelete(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let place = try await place(request)
        let item = try await item(request, place)
        let path = request.address("hub", place.source.id.rawValue, place.kind.plural, item.id)
        return .confirm(
            "Delete", item.draft.title,
            "Readers keep it until the next publish. The draft cannot be restored.",
            at: path + "/delete", back: path, for: request)
    }

    private func delete(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let place = try await place(request)
        let item = try await item(request, place)
        try await recorded("deleted", item.draft.title, item.id, place, request) {
            try await hub.content.delete(place.environmentID, place.source.id, place.kind, item.id)
        }
        return .redirect(
            to: request.address("hub", place.source.id.rawValue), Flash("Deleted “\(item.draft.title)”."))
    }
}
