import InlayWire

/// Contact lists: which there are, who is in one, what can be changed about both.
struct ContactPages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

    private struct Row {
        let rowPath: String
        let rowName: String
        let rowID: String
        let kind: String
        let size: String
        let optedOut: String
        let columns: String
    }

    private struct Contact {
        let csrf: String
        let contactID: String
        let cells: [Cell]
        let isOut: Bool
        let optPath: String
        let removePath: String
        let canEdit: Bool
        let added: Moment
    }

    private struct Cell { let column: String, value: String }

    private struct OneModel {
        let listsPath: String
        let listName: String
        let listID: String
        let columns: [Cell]
        let rows: [Contact]
        let hasRows: Bool
        let pager: Pager
        let canEdit: Bool
        let takesContacts: Bool
        let importPath: String
        let csrf: String
        let columnPath: String
        let deletePath: String
    }

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = ContactPages(services: services, stores: stores)
        let root = "e/:environment/behaviors/lists"
        return [
            .page(root) { try await pages.list($0) },
            .page("\(root)/new", for: .editor) { pages.blank($0, faults: FieldErrors()) },
            .form("\(root)/new", for: .editor) { try await pages.make($0) },
            .page("\(root)/:list") { try await pages.one($0) },
            .page("\(root)/:list/delete", for: .editor) { try await pages.confirmDelete($0) },
            .form("\(root)/:list/delete", for: .editor) { try await pages.delete($0) },
            .upload("\(root)/:list/import", for: .editor) { try await ContactImportPage(pages).answer($0) },
            .page("\(root)/:list/column", for: .editor) {
                pages.blankColumn($0, try await pages.found($0), faults: FieldErrors())
            },
            .form("\(root)/:list/column", for: .editor) { try await pages.addColumn($0) },
            .form("\(root)/:list/contacts/:contact/opt-out", for: .editor) { try await pages.opt(true, $0) },
            .form("\(root)/:list/contacts/:contact/opt-in", for: .editor) { try await pages.opt(false, $0) },
            .page("\(root)/:list/contacts/:contact/remove", for: .editor) {
                try await pages.confirmRemove($0)
            },
            .form("\(root)/:list/contacts/:contact/remove", for: .editor) { try await pages.remove($0) },
        ]
    }

    /// The list that the address names.
    func found(_ request: WorkbenchRequest) async throws -> ContactList {
        try await request.found("list") { environmentID, id in
            guard let id = Int64(id) else { return nil }
            return try await stores.behaviors.contacts.list(environmentID, id)
        }
    }

    // MARK: Lists

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let path = request.address("behaviors", "lists")
        let rows = try await stores.behaviors.contacts.lists(request.environmentID).map { summary in
            let list = summary.list
            return Row(
                rowPath: "\(path)/\(list.id)", rowName: list.name, rowID: "\(list.id)",
                kind: list.kind.words, size: Count.grouped(summary.size),
                optedOut: Count.grouped(summary.optedOut),
                columns: list.columns.map(\.name).joined(separator: ", "))
        }
        return .page(
            "Contact lists", "behaviors/lists", ListModel(rows, path: path, for: request))
    }

    private func blank(_ request: WorkbenchRequest, faults: FieldErrors) -> WorkbenchAnswer {
        let hint =
            "It begins with the columns Email, its key, and Mobile User Id, which names a user of the app."
        let path = request.address("behaviors", "lists")
        let model = FormModel(
            "New contact list", in: ("Contact lists", path), at: path + "/new",
            fields: [.line("name", "Name", request.form["name"] ?? "", hint: hint)], faults: faults,
            button: "Make the list", for: request)
        return .page(model.title, "form", model, status: faults.items.isEmpty ? 200 : 422)
    }

    private func make(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        do {
            let list = try await stores.behaviors.contacts.createDatabase(
                request.environmentID, name: request.form.trimmed("name"))
            try services.audit.record("created contact list", list.name, by: request)
            return .redirect(
                to: request.address("behaviors", "lists", "\(list.id)"),
                Flash("Made “\(list.name)”. Import contacts from a file, or over XMLAPI."))
        } catch let faults as FieldErrors {
            return blank(request, faults: faults)
        } catch let problem as Problem where problem.status == 422 || problem.code == .conflict {
            return blank(request, faults: FieldErrors("name", problem.detail ?? problem.title))
        }
    }

    private func blankColumn(
        _ request: WorkbenchRequest, _ list: ContactList, faults: FieldErrors
    ) -> WorkbenchAnswer {
        let types = ContactColumnType.allCases.filter { $0 != .system }.map { ("\($0.rawValue)", "\($0)") }
        let path = request.address("behaviors", "lists", "\(list.id)")
        let model = FormModel(
            "New column", in: (list.name, path), at: path + "/column",
            fields: [
                .line("name", "Name", request.form["name"] ?? ""),
                .choice("type", "Type", request.form["type"] ?? "0", of: types),
                .line("default", "Value where nothing is said", request.form["default"] ?? ""),
                .line(
                    "choices", "Choices", request.form["choices"] ?? "",
                    hint: "Between commas, for the two types of choice."),
            ], faults: faults, button: "Add the column", for: request)
        return .page(model.title, "form", model, status: faults.items.isEmpty ? 200 : 422)
    }

    private func addColumn(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let list = try await found(request)
        let type = Int(request.form.trimmed("type")).flatMap(ContactColumnType.init(rawValue:)) ?? .text
        let column = ContactColumn(
            request.form.trimmed("name"), type, defaultValue: request.form.trimmed("default"),
            choices: TypedText.words(request.form["choices"]))
        do {
            try await stores.behaviors.contacts.addColumn(request.environmentID, list.id, column)
        } catch let faults as FieldErrors {
            return blankColumn(request, list, faults: faults)
        } catch let problem as Problem where problem.status == 422 || problem.code == .conflict {
            let fault = FieldErrors("name", problem.detail ?? problem.title)
            return blankColumn(request, list, faults: fault)
        }
        try services.audit.record("added column", column.name, by: request, detail: list.name)
        return .redirect(
            to: request.address("behaviors", "lists", "\(list.id)"), Flash("Added “\(column.name)”."))
    }

    private func confirmDelete(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let list = try await found(request)
        let lists = try await stores.behaviors.contacts.lists(request.environmentID)
        let size = lists.first { $0.list.id == list.id }?.size ?? 0
        let words =
            switch list.kind {
            case .contactList: "Its contacts (\(Count.grouped(size))) stay in the list that it is a part of."
            case .table: "Its rows (\(Count.grouped(size))) go with it and cannot be restored."
            case .database:
                "Its contacts (\(Count.grouped(size))) and parts (\(lists.count { $0.list.parentID == list.id })) go with "
                    + "it and cannot be restored. Segments that ask for its columns reach nobody."
            }
        return .confirm(
            "Delete", list.name, words, at: request.path,
            back: request.address("behaviors", "lists", "\(list.id)"), for: request)
    }

    private func delete(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let list = try await found(request)
        // A removal that breaks off has removed contacts.
        try services.audit.record("deleted contact list", list.name, by: request)
        try await stores.behaviors.contacts.removeList(request.environmentID, list.id)
        return .redirect(to: request.address("behaviors", "lists"), Flash("Deleted “\(list.name)”."))
    }

    // MARK: Contacts

    private func one(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let list = try await found(request)
        let environmentID = try request.environmentID
        let search = String(request.query.trimmed("q").prefix(200))
        let after = Int64(request.query["after"] ?? "") ?? 0
        let path = request.address("behaviors", "lists", "\(list.id)")
        var columns = list.columns
        var rows: [Contact] = []
        var next: String?
        if list.kind != .table {
            if let parent = list.parentID {
                columns = try await stores.behaviors.contacts.list(environmentID, parent)?.columns ?? []
            }
            let page = try await stores.behaviors.contacts.recipients(
                environmentID, list.id, search: search, after: after)
            rows = page.recipients.map { contact($0, columns, path, request) }
            next = page.next.map { "\(path)?\(request.query.with("after", "\($0)").encoded)" }
        }
        let model = OneModel(
            listsPath: request.address("behaviors", "lists"), listName: list.name,
            listID: "\(list.id)", columns: columns.map { Cell(column: $0.name, value: "") }, rows: rows,
            hasRows: !rows.isEmpty,
            pager: Pager(search: search, listPath: path, nextPath: next, isLaterPage: after > 0),
            canEdit: request.may(.editor), takesContacts: list.kind == .database,
            importPath: path + "/import", csrf: request.csrfToken, columnPath: path + "/column",
            deletePath: path + "/delete")
        return .page(list.name, "behaviors/list", model, scripts: ["contacts.js"])
    }

    private func contact(
        _ recipient: Recipient, _ columns: [ContactColumn], _ path: String, _ request: WorkbenchRequest
    ) -> Contact {
        Contact(
            csrf: request.csrfToken, contactID: "\(recipient.id)",
            cells: columns.map { Cell(column: $0.name, value: recipient.values[$0.name] ?? "") },
            isOut: recipient.optedOutAt != nil,
            optPath: "\(path)/contacts/\(recipient.id)/\(recipient.optedOutAt == nil ? "opt-out" : "opt-in")",
            removePath: "\(path)/contacts/\(recipient.id)/remove", canEdit: request.may(.editor),
            added: request.moment(recipient.createdAt))
    }

    /// A contact of this list, so that an address cannot name one of another.
    private func recipient(_ request: WorkbenchRequest, in list: ContactList) async throws -> Recipient {
        let recipient = try await request.found("contact") { environmentID, id in
            guard let id = Int64(id) else { return nil as Recipient? }
            return try await stores.behaviors.contacts.recipient(environmentID, id)
        }
        guard recipient.listID == list.parentID ?? list.id else { throw Problem.notFound("contact") }
        return recipient
    }

    /// Does what the button said, whatever happened since the page was drawn: who is out stays out.
    private func opt(_ goesOut: Bool, _ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let list = try await found(request)
        let recipient = try await recipient(request, in: list)
        let isChange = (recipient.optedOutAt == nil) == goesOut
        try await stores.behaviors.contacts.setOptedOut(request.environmentID, recipient.id, goesOut)
        let verb = goesOut ? "opted out" : "opted in"
        try services.audit.record("\(verb) contact", "\(recipient.id)", by: request, detail: list.name)
        let path = request.address("behaviors", "lists", "\(list.id)")
        let back = "\(path)/contacts/\(recipient.id)/\(goesOut ? "opt-in" : "opt-out")"
        return .redirect(
            to: path,
            Flash(
                "Contact \(recipient.id) is \(verb).",
                undo: isChange ? Flash.Step(label: "Undo", path: back) : nil))
    }

    /// What people call a contact: its first value, which is the key's in most lists, or its number.
    private func name(_ recipient: Recipient, _ request: WorkbenchRequest) async throws -> String {
        guard let base = try await stores.behaviors.contacts.list(request.environmentID, recipient.listID)
        else { return "contact \(recipient.id)" }
        let values = base.columns.lazy.compactMap { recipient.values[$0.name] }
        return values.first { !$0.isEmpty } ?? "contact \(recipient.id)"
    }

    private func confirmRemove(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let list = try await found(request)
        let recipient = try await recipient(request, in: list)
        let words =
            list.kind == .contactList
            ? "It leaves “\(list.name)” only. The contact and its values stay."
            : "Its \(Count.of(recipient.values.count, "value")) and its place in every part of “\(list.name)” go with "
                + "it and cannot be brought back. What the app told of the user stays."
        return .confirm(
            "Remove", try await name(recipient, request), words, at: request.path,
            back: request.address("behaviors", "lists", "\(list.id)"), for: request)
    }

    private func remove(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let list = try await found(request)
        let recipient = try await recipient(request, in: list)
        let name = try await name(recipient, request)
        if list.kind == .contactList {
            try await stores.behaviors.contacts.removeMember(
                request.environmentID, recipient.id, of: list.id)
        } else {
            try await stores.behaviors.contacts.remove(request.environmentID, recipient.id)
        }
        try services.audit.record(
            "removed contact", "\(recipient.id)", by: request, detail: list.name)
        return .redirect(
            to: request.address("behaviors", "lists", "\(list.id)"),
            Flash("Removed “\(name)”."))
    }
}
