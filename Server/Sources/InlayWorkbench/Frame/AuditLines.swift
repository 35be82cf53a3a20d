package import InlayServerCore
import NIOConcurrencyHelpers

/// The lines of the audit log about the changes that a request made.
///
/// ``AuditLog/record(_:_:by:detail:in:with:)`` adds a line in the transaction of its change. For other changes,
/// ``AuditLog/record(_:_:by:detail:in:)`` adds a pending line, which the gate writes after the handler, even when the
/// handler failed after the change.
package final class AuditLines: Sendable {
    /// One change.
    struct Line: Sendable {
        let action: String
        let subject: String
        let detail: String?
        /// The environment that was changed; `nil` for a change of the server.
        let environmentID: EnvironmentID?

        package init(action: String, subject: String, detail: String?, environmentID: EnvironmentID?) {
            self.action = action
            self.subject = subject
            self.detail = detail
            self.environmentID = environmentID
        }
    }

    private let lines = NIOLockedValueBox<[Line]>([])
    private let isStored = NIOLockedValueBox(false)

    func add(_ line: Line) { lines.withLockedValue { $0.append(line) } }

    /// Marks that a change has stored its line in the log already.
    func setStored() { isStored.withLockedValue { $0 = true } }

    /// The pending lines, which the gate has to write.
    var pending: [Line] { lines.withLockedValue { $0 } }

    /// Whether no line is stored or pending.
    var isEmpty: Bool { pending.isEmpty && !isStored.withLockedValue { $0 } }
}

/// The scope of a change that an operator made.
package enum ChangeScope {
    /// The environment in the request's URL.
    case environment
    /// Another environment, for example one that the request created.
    case other(EnvironmentID)
    /// The server: operators and their rights.
    case server
}

extension ChangeScope {
    fileprivate func environmentID(of request: WorkbenchRequest) throws -> EnvironmentID? {
        switch self {
        case .environment: try request.environmentID
        case .other(let id): id
        case .server: nil
        }
    }
}

extension AuditLog {
    /// Adds a pending line about a change of the request's operator; the gate writes it when the handler ends.
    package func record(
        _ action: String, _ subject: String, by request: WorkbenchRequest, detail: String? = nil,
        in scope: ChangeScope = .environment
    ) throws {
        request.auditLines.add(
            .init(
                action: action, subject: subject, detail: detail,
                environmentID: try scope.environmentID(of: request)))
    }

    /// Runs a change of the request's operator, and adds its line in the transaction of the first write.
    package func record<Result: Sendable>(
        _ action: String, _ subject: String, by request: WorkbenchRequest, detail: String? = nil,
        in scope: ChangeScope = .environment, with change: () async throws -> Result
    ) async throws -> Result {
        let result = try await record(
            action, subject: subject, by: request.operator.login,
            environmentID: try scope.environmentID(of: request), detail: detail, with: change)
        request.auditLines.setStored()
        return result
    }
}
