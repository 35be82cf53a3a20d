import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// Pages that list and change contact lists and the contacts in them.
struct ContactPages: RecordFormPages, RecordRemovalPages {
    let services: ServerServices
    let behaviors: BehaviorsFeature
    let root = "e/:environment/behaviors/lists"
    let noun = "contact list"
    let parameter = "list"

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

    static func routes(_ services: ServerServices, _ behaviors: BehaviorsFeature) -> [WorkbenchRoute] {
        let pages = ContactPages(services: services, behaviors: behaviors)
        let root = pages.root
        return [
            .page(root) { try await pages.list($0) },
            .page("\(root)/:list") { try await pages.one($0) },
            .upload("\(root)/:list/import", for: .editor) { try await ContactImportPage(pages).answer($0) },
            .page("\(root)/:list/column", for: .editor) {
                pages.blankColumn($0, try await pages.found($0), faults: FieldErrors())
            },
            .form("\(root)/:list/column", for: .editor) { try await pages.addColumn($0) },
            .form("\(root)/:list/contacts/:contact/opt-out", for: .editor) {
                try await pages.setOptedOut(true, $0)
            },
            .form("\(root)/:list/contacts/:contact/opt-in", for: .editor) {
                try await pages.setOptedOut(false, $0)
            },
            .page("\(root)/:list/contacts/:contact/remove", for: .editor) {
                try await pages.confirmRemove($0)
            },
            .form("\(root)/:list/contacts/:contact/remove", for: .editor) { try await pages.remove($0) },
        ] + pages.newRoutes + pages.removalRoutes
    }

    func find(_ request: WorkbenchRequest, _ id: String) async throws -> ContactList? {
        guard let id = Int64(id) else { return nil }
        return try await behaviors.contacts.list(request.environmentID, id)
    }

    func name(of list: ContactList) -> String { list.name }

    // MARK: Lists

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let path = request.address("behaviors", "lists")
        let rows = try await behaviors.contacts.lists(request.environmentID).map { summary in
            let list = summary.list
            return Row(
                rowPath: "\(path)/\(list.id)", rowName: list.name, rowID: "\(list.id)",
                kind: list.kind.label, size: Count.grouped(summary.size),
                optedOut: Count.grouped(summary.optedOut),
                columns: list.columns.map(\.name).joined(separator: ", "))
        }
        return .page(
            "Contact lists", "behaviors/lists", ListModel(rows, path: path, for: request))
    }

    func form(
        _ request: WorkbenchRequest, _ list: ContactList?, faults: FieldErrors
    ) -> WorkbenchResult {
        let hint =
            "A new list has the columns Email, which is its key, and Mobile User Id, which is the id of a user of the app."
        let path = request.address("behaviors", "lists")
        let model = FormModel(
            "New contact list", in: ("Contact lists", path), at: path + "/new",
            fields: [.line("name", "Name", request.form["name"] ?? "", hint: hint)], faults: faults,
            button: "Create list", for: request)
        return .page(model.title, "form", model, status: faults.items.isEmpty ? 200 : 422)
    }

    func draft(_ request: WorkbenchRequest, over list: ContactList?) -> String {
        request.form.trimmed("name")
    }

    func subject(of name: String, _ request: WorkbenchRequest) -> AuditSubject { AuditSubject(name) }

    func save(
        _ name: String, over list: ContactList?, _ request: WorkbenchRequest
    ) async throws -> ContactList {
        try await behaviors.contacts.createDatabase(request.environmentID, name: name)
    }

    func faults(for problem: Problem, isNew: Bool) -> FieldErrors? {
        guard problem.status == 422 || problem.code == .conflict else { return nil }
        return FieldErrors("name", problem.detail ?? problem.title)
    }

    func saved(_ list: ContactList, isNew: Bool, _ request: WorkbenchRequest) -> WorkbenchResult {
        .redirect(
            to: request.address("behaviors", "lists", "\(list.id)"),
            Flash("Created “\(list.name)”. Import contacts from a file, or over XMLAPI."))
    }

    private func blankColumn(
        _ request: WorkbenchRequest, _ list: ContactList, faults: FieldErrors
    ) -> WorkbenchResult {
        let types = ContactColumnType.allCases.filter { $0 != .system }.map { ("\($0.rawValue)", "\($0)") }
        let path = request.address("behaviors", "lists", "\(list.id)")
        let model = FormModel(
            "New column", in: (list.name, path), at: path + "/column",
            fields: [
                .line("name", "Name", request.form["name"] ?? ""),
                .choice("type", "Type", request.form["type"] ?? "0", of: types),
                .line("default", "Default value", request.form["default"] ?? ""),
                .line(
                    "choices", "Choices", request.form["choices"] ?? "",
                    hint: "Between commas, for the two types of choice."),
            ], faults: faults, button: "Add the column", for: request)
        return .page(model.title, "form", model, status: faults.items.isEmpty ? 200 : 422)
    }

    private func addColumn(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let list = try await found(request)
        let type = Int(request.form.trimmed("type")).flatMap(ContactColumnType.init(rawValue:)) ?? .text
        let column = ContactColumn(
            request.form.trimmed("name"), type, defaultValue: request.form.trimmed("default"),
            choices: TypedText.words(request.form["choices"]))
        do {
            try await services.audit.record("added column", column.name, by: request, detail: list.name) {
                try await behaviors.contacts.addColumn(request.environmentID, list.id, column)
            }
        } catch let faults as FieldErrors {
            return blankColumn(request, list, faults: faults)
        } catch let problem as Problem where problem.status == 422 || problem.code == .conflict {
            let fault = FieldErrors("name", problem.detail ?? problem.title)
            return blankColumn(request, list, faults: fault)
        }
        return .redirect(
            to: request.address("behaviors", "lists", "\(list.id)"), Flash("Added “\(column.name)”."))
    }

    func warning(about list: ContactList, _ request: WorkbenchRequest) async throws -> String {
        let lists = try await behaviors.contacts.lists(request.environmentID)
        let size = Count.grouped(lists.first { $0.list.id == list.id }?.size ?? 0)
        return switch list.kind {
        case .contactList: "Its contacts (\(size)) stay in the list that it is a part of."
        case .table: "Its rows (\(size)) go with it and cannot be restored."
        case .database:
            "Its contacts (\(size)) and parts (\(lists.count { $0.list.parentID == list.id })) go with "
                + "it and cannot be restored. Segments that use its columns then match no users."
        }
    }

    func cancelPath(of list: ContactList, _ request: WorkbenchRequest) -> String {
        request.address("behaviors", "lists", "\(list.id)")
    }

    func remove(_ list: ContactList, _ request: WorkbenchRequest) async throws {
        // A removal that breaks off has taken contacts and left the list, so each part has a line of its own.
        try await services.audit.record("began deleting contact list", list.name, by: request) {
            try await behaviors.contacts.emptyList(request.environmentID, list)
        }
        try await behaviors.contacts.removeList(request.environmentID, list.id)
    }

    func pathAfterRemoval(of list: ContactList, _ request: WorkbenchRequest) -> String {
        request.address("behaviors", "lists")
    }

    // MARK: Contacts

    private func one(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let list = try await found(request)
        let environmentID = try request.environmentID
        let search = request.query.trimmed("q").prefix(scalars: 200)
        let after = Int64(request.query["after"] ?? "") ?? 0
        let path = request.address("behaviors", "lists", "\(list.id)")
        var columns = list.columns
        var rows: [Contact] = []
        var next: String?
        if list.kind != .table {
            if let parent = list.parentID {
                columns = try await behaviors.contacts.list(environmentID, parent)?.columns ?? []
            }
            let page = try await behaviors.contacts.recipients(
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
}
