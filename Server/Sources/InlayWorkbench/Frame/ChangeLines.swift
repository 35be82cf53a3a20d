package import InlayServerCore
import NIOConcurrencyHelpers

/// The changes that a request made, for the audit log.
///
/// ``AuditLog/record(_:_:by:detail:in:with:)`` adds a line in the transaction of its change. Changes without a
/// transaction of their own are noted with ``AuditLog/record(_:_:by:detail:in:)``; the gate writes those after the
/// handler, in one place, also when the handler failed after a change.
package final class ChangeLines: Sendable {
    /// One change.
    struct Line: Sendable {
        let action: String
        let subject: String
        let detail: String?
        /// `nil` for what belongs to the server.
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

    /// Notes that a change has its line in the log already.
    func setStored() { isStored.withLockedValue { $0 = true } }

    /// The lines that the gate has to write.
    var all: [Line] { lines.withLockedValue { $0 } }

    /// Whether no change has a line.
    var isEmpty: Bool { all.isEmpty && !isStored.withLockedValue { $0 } }
}

/// The scope of a change that an operator made.
package enum ChangeScope {
    /// The environment of the request's address.
    case environment
    /// Another environment, for example one that the request made.
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
    /// Notes what the person of a request did; the gate writes it when the handler ends.
    package func record(
        _ action: String, _ subject: String, by request: WorkbenchRequest, detail: String? = nil,
        in scope: ChangeScope = .environment
    ) throws {
        request.changes.add(
            .init(
                action: action, subject: subject, detail: detail,
                environmentID: try scope.environmentID(of: request)))
    }

    /// Runs what the person of a request does, and adds its line in the transaction of the first write.
    package func record<Result: Sendable>(
        _ action: String, _ subject: String, by request: WorkbenchRequest, detail: String? = nil,
        in scope: ChangeScope = .environment, with change: () async throws -> Result
    ) async throws -> Result {
        let result = try await record(
            action, subject: subject, by: request.operator.login,
            environmentID: try scope.environmentID(of: request), detail: detail, with: change)
        request.changes.setStored()
        return result
    }
}
