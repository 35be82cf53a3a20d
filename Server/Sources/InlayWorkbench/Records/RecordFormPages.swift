package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The pages with the forms that create and change records of one kind.
package protocol RecordFormPages: RecordPages {
    /// The checked input for the store.
    associatedtype Draft: Sendable

    /// The path of the form that changes a record; below the list by default.
    var changePath: String { get }
    /// The minimum role that sees the form of a record; analyst by default.
    var readRole: OperatorRole { get }

    /// Returns the form of a record, or of a new one.
    ///
    /// When the request ``WorkbenchRequest/hasForm``, its fields are shown as they were typed.
    func form(_ request: WorkbenchRequest, _ record: Record?, faults: FieldErrors) async throws
        -> WorkbenchResult
    /// Returns the form after a button that only changes it; `nil`, the default, for the button that saves.
    func step(_ request: WorkbenchRequest, _ record: Record?) async throws -> WorkbenchResult?
    /// Returns the typed values after a check; throws `FieldErrors`.
    func draft(_ request: WorkbenchRequest, over record: Record?) async throws -> Draft
    /// Returns the subject of the line in the audit log.
    func subject(of draft: Draft, _ request: WorkbenchRequest) throws -> AuditSubject
    /// Stores the draft as a new record, or as the new content of `record`.
    func save(_ draft: Draft, over record: Record?, _ request: WorkbenchRequest) async throws -> Record
    /// Returns the faults of fields for a problem of the store; `nil`, the default, shows the error page.
    func faults(for problem: Problem, isNew: Bool) -> FieldErrors?
    /// Returns the page after a save, with its message.
    func saved(_ record: Record, isNew: Bool, _ request: WorkbenchRequest) throws -> WorkbenchResult
}

extension RecordFormPages {
    package var changePath: String { "\(root)/:\(parameter)" }
    package var readRole: OperatorRole { .analyst }

    package func step(_ request: WorkbenchRequest, _ record: Record?) async throws -> WorkbenchResult? { nil }
    package func faults(for problem: Problem, isNew: Bool) -> FieldErrors? { nil }

    /// The routes of the form of a new record.
    package var newRoutes: [WorkbenchRoute] {
        [
            .page("\(root)/new", for: role) { try await form($0, nil, faults: FieldErrors()) },
            .form("\(root)/new", for: role) { try await submit($0, nil) },
        ]
    }

    /// The routes of the form of a record.
    package var changeRoutes: [WorkbenchRoute] {
        [
            .page(changePath, for: readRole) {
                try await form($0, try await found($0), faults: FieldErrors())
            },
            .form(changePath, for: role) { try await submit($0, try await found($0)) },
        ]
    }

    /// Saves the typed values, or shows them again with their faults.
    private func submit(_ request: WorkbenchRequest, _ record: Record?) async throws -> WorkbenchResult {
        do {
            if let answer = try await step(request, record) { return answer }
            let draft = try await draft(request, over: record)
            let subject = try subject(of: draft, request)
            let saved = try await recorded(record == nil ? "created" : "changed", subject, by: request) {
                try await save(draft, over: record, request)
            }
            return try self.saved(saved, isNew: record == nil, request)
        } catch let faults as FieldErrors {
            return try await form(request, record, faults: faults)
        } catch let problem as Problem {
            guard let faults = faults(for: problem, isNew: record == nil) else { throw problem }
            return try await form(request, record, faults: faults)
        }
    }
}

extension WorkbenchRequest {
    /// Whether a form was sent: then the page shows the typed values instead of the stored ones.
    package var hasForm: Bool { form != FormFields() }
}
