import InlayServerCore

/// The page that asks for confirmation before a record is removed, and the removal.
package protocol RecordRemovalPages: RecordPages {
    /// The verb for a removal of this kind; deleting by default.
    var removal: RecordRemoval { get }

    /// Returns the effects of a removal, shown before the operator confirms it.
    func warning(about record: Record, _ request: WorkbenchRequest) async throws -> String
    /// Returns the path of the previous page, for the link that cancels.
    func cancelPath(of record: Record, _ request: WorkbenchRequest) -> String
    func remove(_ record: Record, _ request: WorkbenchRequest) async throws
    /// Returns the path of the page after the removal: the list of the remaining records.
    func pathAfterRemoval(of record: Record, _ request: WorkbenchRequest) async throws -> String
    /// Returns the message after the removal; “Deleted “Inbox”.” by default.
    func notice(ofRemoved record: Record) -> String
}

/// The words for a removal.
package enum RecordRemoval: String, Sendable {
    case delete, archive, revoke, erase

    /// The last part of the path.
    var path: String { rawValue }
    /// The verb on the button.
    var verb: String { rawValue.capitalized }
    /// The action in the audit log.
    var pastTense: String { rawValue.hasSuffix("e") ? rawValue + "d" : rawValue + "ed" }
}

extension RecordRemovalPages {
    package var removal: RecordRemoval { .delete }

    package func notice(ofRemoved record: Record) -> String {
        "\(removal.pastTense.capitalized) “\(name(of: record))”."
    }

    /// The routes of the page that asks for confirmation, and of its form.
    package var removalRoutes: [WorkbenchRoute] {
        let path = "\(root)/:\(parameter)/\(removal.path)"
        return [
            .page(path, for: role) { try await confirm($0) },
            .form(path, for: role) { try await submit($0) },
        ]
    }

    private func confirm(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let record = try await found(request)
        return .confirm(
            removal.verb, name(of: record), try await warning(about: record, request), at: request.path,
            back: cancelPath(of: record, request), for: request)
    }

    private func submit(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let record = try await found(request)
        try await recorded(removal.pastTense, subject(of: record), by: request) {
            try await remove(record, request)
        }
        return .redirect(
            to: try await pathAfterRemoval(of: record, request), Flash(notice(ofRemoved: record)))
    }
}
