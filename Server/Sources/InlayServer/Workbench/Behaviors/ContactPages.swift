import Foundation
import InlayWire

/// Contact lists: which there are, who is in one, the import of contacts from a file.
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

    private struct ImportModel {
        /// Whether nothing was done yet.
        let isCheck: Bool
        /// Whether there is something to import.
        let canGo: Bool
        let mapping: [FieldView]
        let hasMapping: Bool
        let words: String
        let faults: [Fault]
        let hasFaults: Bool
        let moreWords: String?

        struct Fault { let faultLine: Int, faultReason: String }
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
            .upload("\(root)/:list/import", for: .editor) { try await pages.importFile($0) },
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

    private func found(_ request: WorkbenchRequest) async throws -> ContactList {
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

    /// Imports a file of comma-separated values and answers the script that sent it with the result. With `check` in the
    /// query it answers what would happen, and changes nothing.
    private func importFile(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let list = try await found(request)
        guard let upload = request.upload else { throw Problem.notFound }
        var bytes: [UInt8] = []
        for try await buffer in upload {
            bytes.append(contentsOf: buffer.readableBytesView)
            guard bytes.count <= ContactStore.largestImport else {
                throw Problem.bodyTooLarge(limit: ContactStore.largestImport)
            }
        }
        let mapping = Self.mapping(request.query)
        let isCheck = request.query["check"] != nil
        let contacts = stores.behaviors.contacts
        if isCheck {
            let result = try await contacts.checkCSV(
                request.environmentID, list.id, bytes, mapping: mapping)
            return Self.answer(result, isCheck: true, list, mapping)
        }
        let result: ContactImport
        do {
            result = try await contacts.importCSV(request.environmentID, list.id, bytes, mapping: mapping)
        } catch let error where !(error is Problem) {
            // The import commits in pieces: what came before the failure stays.
            try services.audit.record("imported contacts", list.name, by: request, detail: "not completed")
            throw error
        }
        try services.audit.record(
            "imported contacts", list.name, by: request,
            detail: "\(result.added) added, \(result.updated) changed, \(result.failed) refused")
        return Self.answer(result, isCheck: false, list, mapping)
    }

    /// The columns of the list by places of the file's first line: `map.3=City`; empty for a column that is left out.
    private static func mapping(_ query: FormFields) -> [Int: String] {
        let pairs = query.pairs.compactMap { name, value in
            name.hasPrefix("map.") ? Int(name.dropFirst(4)).map { ($0, value) } : nil
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func answer(
        _ result: ContactImport, isCheck: Bool, _ list: ContactList, _ mapping: [Int: String]
    ) -> WorkbenchAnswer {
        let columns = [("", "Leave it out")] + list.columns.map { ($0.name, $0.name) }
        let fields =
            isCheck
            ? result.unknown.map {
                FieldView.choice(
                    "map.\($0.index)", "Column “\($0.name)” of the file", mapping[$0.index] ?? "", of: columns
                )
            } : []
        let more = result.failed - result.faults.count
        let failed = Count.of(result.failed, "line")
        let words =
            isCheck
            ? "\(Count.of(result.added, "new contact")), \(Count.grouped(result.updated)) changed, \(failed) with a fault. Nothing is imported yet."
            : "\(Count.of(result.added, "contact")) added, \(Count.grouped(result.updated)) changed, \(failed) not imported."
        let model = ImportModel(
            isCheck: isCheck, canGo: result.added + result.updated > 0, mapping: fields,
            hasMapping: !fields.isEmpty, words: words,
            faults: result.faults.map { ImportModel.Fault(faultLine: $0.line, faultReason: $0.reason) },
            hasFaults: !result.faults.isEmpty,
            moreWords: more > 0 ? "And \(Count.of(more, "line")) more." : nil)
        return .fragment(template: "behaviors/import", model: model)
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

extension ContactList.Kind {
    /// What people call it.
    var words: String {
        switch self {
        case .database: "Contacts"
        case .contactList: "Part of a list"
        case .table: "Relational table"
        }
    }
}
