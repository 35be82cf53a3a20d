package import InlayServerCore
@_spi(Inlay) import InlayWire

/// The pages of one kind of record that operators create, change and remove.
///
/// A conforming type has what is particular to its kind: the fields, the checks, the store, the texts. The
/// extensions of ``RecordFormPages`` and ``RecordRemovalPages`` have the sequence that all kinds share. They also
/// call the store, inside the transaction that adds the line in the audit log, so a page cannot forget the line.
package protocol RecordPages: Sendable {
    associatedtype Record: Sendable

    var services: ServerServices { get }
    /// The path of the list below `/workbench/`, for example `e/:environment/cards/themes`.
    var root: String { get }
    /// The kind of record in the audit log and in “not found”, for example `theme`.
    var noun: String { get }
    /// The part of the path with the record's id; the noun by default.
    var parameter: String { get }
    /// The minimum role that changes records; editor by default.
    var role: OperatorRole { get }

    /// Returns the record with an id from the URL; `nil` when there is none.
    func find(_ request: WorkbenchRequest, _ id: String) async throws -> Record?
    /// Returns the name that the pages show.
    func name(of record: Record) -> String
    /// Returns the subject of the line in the audit log when a record is removed; by default the record's name.
    func subject(of record: Record) -> AuditSubject
}

extension RecordPages {
    package var parameter: String { noun }
    package var role: OperatorRole { .editor }

    package func subject(of record: Record) -> AuditSubject { AuditSubject(name(of: record)) }

    /// Returns the record that the URL names; throws `not-found`.
    package func found(_ request: WorkbenchRequest) async throws -> Record {
        guard let record = try await find(request, request.parameter(parameter)) else {
            throw Problem.notFound(noun)
        }
        return record
    }

    /// Runs a change of a record with its line in the audit log.
    func recorded<Result: Sendable>(
        _ action: String, _ subject: AuditSubject, by request: WorkbenchRequest,
        _ change: () async throws -> Result
    ) async throws -> Result {
        try await services.audit.record(
            "\(action) \(noun)", subject.name, by: request, detail: subject.detail, with: change)
    }
}

/// The subject of a line in the audit log.
package struct AuditSubject: Equatable, Sendable {
    let name: String
    /// Further details, for example the id.
    let detail: String?

    package init(_ name: String, detail: String? = nil) {
        self.name = name
        self.detail = detail
    }
}
