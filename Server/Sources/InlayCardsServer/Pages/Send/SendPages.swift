import Foundation
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages that send a template's cards: to one user, by profile, to a segment, or to all users.
struct SendPages: Sendable {
    let services: ServerServices
    let cards: CardsFeature

    static func routes(_ services: ServerServices, _ cards: CardsFeature) -> [WorkbenchRoute] {
        let pages = SendPages(services: services, cards: cards)
        let path = "e/:environment/cards/templates/:template/send"
        return [
            .page(path, for: .editor) { try await pages.show($0, faults: FieldErrors()) },
            .form(path, for: .editor) { try await pages.send($0) },
        ]
    }

    /// Returns the template and its published draft, which is what is sent. Throws `conflict` before the first
    /// publication.
    private func found(_ request: WorkbenchRequest) async throws -> (CardTemplate, CardTemplateDraft) {
        let template = try await request.found("template", cards.templates.template)
        guard let published = try await cards.templates.publishedDraft(request.environmentID, template.id)
        else {
            throw Problem(
                .conflict, status: 409, title: "“\(template.draft.name)” is not published yet.",
                detail: "Publish it first: only a published version can be sent.")
        }
        return (template, published)
    }

    private func show(
        _ request: WorkbenchRequest, faults: FieldErrors, isUnknownUser: Bool = false
    ) async throws -> WorkbenchResult {
        let (template, published) = try await found(request)
        let users = try await services.users.users(request.environmentID, limit: 500)
        let count = try await services.users.count(request.environmentID)
        let segments = try await cards.segments.names(request.environmentID)
        let model = SendModel(
            template, published, faults: faults, users: users, segments: segments, count: count,
            isUnknownUser: isUnknownUser, for: request)
        return .page(
            "Send \(template.draft.name)", "cards/send", model, faults: faults)
    }

    private func send(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let (template, published) = try await found(request)
        let environmentID = try request.environmentID
        let form = SendForm(request.form)
        if request.form["change"] != nil { return try await show(request, faults: FieldErrors()) }
        let (event, read) = form.event(for: published, templateID: template.id, in: request.zone)
        var faults = read
        var isUnknown = false
        if case .users(let ids) = event.target, let id = ids.first, !id.isEmpty, !form.sendsAnyway {
            if try await services.users.user(environmentID, id) == nil {
                faults.add("user", "No user with this id is known yet.")
                isUnknown = true
            }
        }
        do {
            try faults.throwIfAny()
            if form.target == .segment || form.target == .profile, !form.isSendConfirmed {
                return try await confirmation(event, of: template, form, request)
            }
            // Read before the send: after it, an error page would invite the operator to send again.
            let audience = form.audience(try await cards.segments.names(environmentID))
            let receipt = try await cards.events.send(environmentID, event)
            let isWaiting = receipt.cards == 0 && !receipt.isComplete
            try services.audit.record(
                "sent cards", template.draft.name, by: request,
                detail: isWaiting ? audience : "\(audience), \(Count.of(receipt.cards, "card"))")
            return .redirect(to: request.path, flash(receipt, form, audience, request))
        } catch let faults as FieldErrors {
            return try await show(request, faults: SendForm.renamed(faults), isUnknownUser: isUnknown)
        }
    }

    /// Returns the page that asks for confirmation, with the number of users and the typed values as hidden fields.
    private func confirmation(
        _ event: CardEventRequest, of template: CardTemplate, _ form: SendForm, _ request: WorkbenchRequest
    ) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID
        let segments = try await cards.segments.names(environmentID)
        let audience = form.audience(segments)
        let number = try await number(of: event.target, segments, environmentID)
        let people = number ?? audience
        let hidden = form.hidden + [HiddenField(hiddenName: "confirmed", hiddenValue: "on")]
        let model = ConfirmModel(
            csrf: request.csrfToken, question: "Send “\(template.draft.name)” to \(people)?",
            words: (number == nil ? "The users could not be counted. " : "")
                + "It goes to \(audience), as far as they are in it when it is sent. It can be cancelled by "
                + "its lifecycle id, also while it is on its way.",
            action: request.path, button: "Send to \(people)", back: request.path, hidden: hidden,
            editName: "change", isDanger: false)
        return .page("Send \(template.draft.name)", "confirm", model)
    }

    /// Returns a target's number of users as text; `nil` when the database cannot count them now, so
    /// that the form is not lost.
    private func number(
        of target: UserTarget, _ segments: [NamedSegment], _ environmentID: EnvironmentID
    ) async throws -> String? {
        do {
            if case .segment(let id) = target {
                guard segments.contains(where: { $0.id == id }) else {
                    throw FieldErrors("segment", "There is no such segment.")
                }
                return Count.of(try await cards.segments.count(environmentID, segment: id), "user")
            }
            let maximum = 5_000
            let count = try await services.users.ids(environmentID, target, limit: maximum).count
            return count < maximum ? Count.of(count, "user") : "\(Count.grouped(maximum)) users or more"
        } catch is SQLError {
            return nil
        }
    }

    private func flash(
        _ receipt: CardEventReceipt, _ form: SendForm, _ audience: String, _ request: WorkbenchRequest
    ) -> Flash {
        guard receipt.cards > 0 || !receipt.isComplete else {
            return Flash("No cards were created: no user matches.", isFault: true)
        }
        guard receipt.cards > 0 else { return Flash("Sending to \(audience).") }
        let rest = receipt.isComplete ? "" : "; the rest follows now"
        var next: Flash.Step?
        if form.target == .user {
            next = .init(
                label: "See why it shows",
                path: request.address("cards", "inspector") + "?user=" + FormFields.escaped(form.user))
        }
        return Flash("Sent \(Count.of(receipt.cards, "card")) to \(audience)\(rest).", next: next)
    }
}
