package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The form that makes a record of one kind, and the form that changes one.
package protocol RecordFormPages: RecordPages {
    /// The checked input, as the store takes it.
    associatedtype Draft: Sendable

    /// The path of the form that changes a record; below the list by default.
    var changePath: String { get }
    /// The least role that sees the form of a record; analyst by default.
    var readRole: OperatorRole { get }

    /// Draws the form of a record, or of a new one.
    ///
    /// When the request ``WorkbenchRequest/hasForm``, its fields are shown as they were typed.
    func form(_ request: WorkbenchRequest, _ record: Record?, faults: FieldErrors) async throws
        -> WorkbenchResult
    /// The answer to a button that only changes the form; `nil` for the one that saves. `nil` by default.
    func step(_ request: WorkbenchRequest, _ record: Record?) async throws -> WorkbenchResult?
    /// Reads and checks what was typed; throws `FieldErrors`.
    func draft(_ request: WorkbenchRequest, over record: Record?) async throws -> Draft
    /// The subject of the line in the audit log.
    func subject(of draft: Draft, _ request: WorkbenchRequest) throws -> AuditSubject
    /// Stores the draft, as a new record or in the place of one.
    func save(_ draft: Draft, over record: Record?, _ request: WorkbenchRequest) async throws -> Record
    /// The faults to show beside fields for what the store refused; `nil`, the default, for the page of faults.
    func faults(for problem: Problem, isNew: Bool) -> FieldErrors?
    /// The page after a save, with its notice.
    func saved(_ record: Record, isNew: Bool, _ request: WorkbenchRequest) throws -> WorkbenchResult
}

extension RecordFormPages {
    package var changePath: String { "\(root)/:\(parameter)" }
    package var readRole: OperatorRole { .analyst }

    package func step(_ request: WorkbenchRequest, _ record: Record?) async throws -> WorkbenchResult? { nil }
    package func faults(for problem: Problem, isNew: Bool) -> FieldErrors? { nil }

    /// The form of a new record.
    package var newRoutes: [WorkbenchRoute] {
        [
            .page("\(root)/new", for: role) { try await form($0, nil, faults: FieldErrors()) },
            .form("\(root)/new", for: role) { try await take($0, nil) },
        ]
    }

    /// The form of a record.
    package var changeRoutes: [WorkbenchRoute] {
        [
            .page(changePath, for: readRole) {
                try await form($0, try await found($0), faults: FieldErrors())
            },
            .form(changePath, for: role) { try await take($0, try await found($0)) },
        ]
    }

    /// Saves what was typed, or shows it again with its faults.
    private func take(_ request: WorkbenchRequest, _ record: Record?) async throws -> WorkbenchResult {
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
    /// Whether a form was sent, so that what was typed is to be shown instead of what is stored.
    package var hasForm: Bool { form != FormFields() }
}
