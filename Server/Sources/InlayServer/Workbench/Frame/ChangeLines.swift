import NIOConcurrencyHelpers

/// The changes that a request made, for the audit log.
///
/// Handlers note them with ``AuditLog/record(_:_:by:detail:in:)``; the gate writes them after the handler, in one
/// place, also when the handler failed after a change.
final class ChangeLines: Sendable {
    /// One change.
    struct Line: Sendable {
        let action: String
        let subject: String
        let detail: String?
        /// `nil` for what belongs to the server.
        let environmentID: String?
    }

    private let lines = NIOLockedValueBox<[Line]>([])

    func add(_ line: Line) { lines.withLockedValue { $0.append(line) } }

    var all: [Line] { lines.withLockedValue { $0 } }
}

/// Where a change belongs that an operator made.
enum ChangeScope {
    /// The environment of the request's address.
    case environment
    /// Another environment, for example one that the request made.
    case other(String)
    /// The server: operators and their rights.
    case server
}

extension AuditLog {
    /// Notes what the person of a request did; the gate writes it when the handler ends.
    func record(
        _ action: String, _ subject: String, by request: WorkbenchRequest, detail: String? = nil,
        in scope: ChangeScope = .environment
    ) throws {
        let environmentID: String? =
            switch scope {
            case .environment: try request.environmentID
            case .other(let id): id
            case .server: nil
            }
        request.changes.add(
            .init(action: action, subject: subject, detail: detail, environmentID: environmentID))
    }
}
