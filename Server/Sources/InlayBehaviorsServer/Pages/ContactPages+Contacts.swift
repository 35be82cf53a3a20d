import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The forms that change one contact of a list.
extension ContactPages {
    /// Returns the contact that the path names. Throws `not-found` when it is in another list.
    private func recipient(_ request: WorkbenchRequest, in list: ContactList) async throws -> Recipient {
        let recipient = try await request.found("contact") { environmentID, id in
            guard let id = Int64(id) else { return nil as Recipient? }
            return try await behaviors.contacts.recipient(environmentID, id)
        }
        guard recipient.listID == list.parentID ?? list.id else { throw Problem.notFound("contact") }
        return recipient
    }

    /// Opts a contact out or in, as the button says. No undo is offered when the contact was in that state already,
    /// because it has changed since the page was rendered.
    func setOptedOut(_ goesOut: Bool, _ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let list = try await found(request)
        let recipient = try await recipient(request, in: list)
        let isChange = (recipient.optedOutAt == nil) == goesOut
        let verb = goesOut ? "opted out" : "opted in"
        try await services.audit.record(
            "\(verb) contact", "\(recipient.id)", by: request, detail: list.name
        ) { try await behaviors.contacts.setOptedOut(request.environmentID, recipient.id, goesOut) }
        let path = request.address("behaviors", "lists", "\(list.id)")
        let back = "\(path)/contacts/\(recipient.id)/\(goesOut ? "opt-in" : "opt-out")"
        return .redirect(
            to: path,
            Flash(
                "Contact \(recipient.id) is \(verb).",
                undo: isChange ? Flash.Step(label: "Undo", path: back) : nil))
    }

    /// Returns the name of a contact: its first value, which is the key's in most lists, or its number.
    private func name(_ recipient: Recipient, _ request: WorkbenchRequest) async throws -> String {
        guard let base = try await behaviors.contacts.list(request.environmentID, recipient.listID)
        else { return "contact \(recipient.id)" }
        let values = base.columns.lazy.compactMap { recipient.values[$0.name] }
        return values.first { !$0.isEmpty } ?? "contact \(recipient.id)"
    }

    func confirmRemove(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let list = try await found(request)
        let recipient = try await recipient(request, in: list)
        let words =
            list.kind == .contactList
            ? "It leaves “\(list.name)” only. The contact and its values stay."
            : "Its \(Count.of(recipient.values.count, "value")) and its place in every part of “\(list.name)” go with "
                + "it and cannot be restored. Events of the user stay."
        return .confirm(
            "Remove", try await name(recipient, request), words, at: request.path,
            back: request.address("behaviors", "lists", "\(list.id)"), for: request)
    }

    func remove(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let list = try await found(request)
        let recipient = try await recipient(request, in: list)
        let name = try await name(recipient, request)
        try await services.audit.record(
            "removed contact", "\(recipient.id)", by: request, detail: list.name
        ) {
            if list.kind == .contactList {
                try await behaviors.contacts.removeMember(
                    request.environmentID, recipient.id, of: list.id)
            } else {
                try await behaviors.contacts.remove(request.environmentID, recipient.id)
            }
        }
        return .redirect(
            to: request.address("behaviors", "lists", "\(list.id)"),
            Flash("Removed “\(name)”."))
    }
}
