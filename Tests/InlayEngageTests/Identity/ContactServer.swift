import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

/// A simulated marketing database with one list and one table, and only the operations that identities need.
final class ContactServer: Sendable {
    struct State: Sendable {
        var contacts: [String: [String: String]] = [:]
        var rows: [[String: String]] = []
        var nextID = 1
        var requests = 0
        /// The number of requests that take effect. The response to the last of them is lost, and all later requests
        /// fail.
        var cutAfter = Int.max
    }

    let state: Locked<State>

    init(_ contacts: [String: [String: String]] = [:]) {
        var state = State()
        (state.contacts, state.nextID) = (contacts, 1000)
        self.state = Locked(state)
    }

    var contacts: [String: [String: String]] { state.withLock { $0.contacts } }
    var rows: [[String: String]] { state.withLock { $0.rows } }

    var answer: ScriptedResponse {
        .handler { [self] request async throws(TransportError) in
            guard let operation = try? request.operation else { return TransportResponse(status: 400) }
            let (answer, isCut) = state.withLock { state -> (ScriptedResponse, Bool) in
                state.requests += 1
                guard state.requests <= state.cutAfter else { return (.status(500), true) }
                let answer = Self.perform(operation, &state)
                // The last request takes effect, but its response is lost.
                return (answer, state.requests == state.cutAfter)
            }
            if isCut { throw .cut("the app is dying") }
            return try await answer.response(to: request)
        }
    }

    private static func perform(_ operation: XMLTree, _ state: inout State) -> ScriptedResponse {
        let columns = pairs(operation.children(named: "COLUMN"))
        let keys = pairs(operation.child("SYNC_FIELDS")?.children ?? [])
        let id = operation.value("RECIPIENT_ID") ?? find(keys, state)
        switch operation.name {
        case "AddRecipient":
            let new = id ?? String(state.nextID)
            if id == nil { state.nextID += 1 }
            state.contacts[new, default: [:]].merge(columns) { $1 }
            return DatabaseResponses.recipient(new)
        case "UpdateRecipient":
            guard let id, state.contacts[id] != nil else {
                return DatabaseResponses.fault("not a member", 128)
            }
            state.contacts[id]?.merge(columns) { $1 }
            return DatabaseResponses.recipient(id)
        case "SelectRecipientData":
            guard let id = find(columns, state) else { return DatabaseResponses.fault("not a member", 128) }
            return DatabaseResponses.recipient(id, columns: state.contacts[id] ?? [:])
        case "InsertUpdateRelationalTable":
            for row in operation.child("ROWS")?.children ?? [] {
                let values = row.children.map { ($0.attributes["name"] ?? "", $0.text) }
                let row = Dictionary(values) { $1 }
                let key = "Audit Record Id"
                state.rows.removeAll { $0[key] == row[key] }
                state.rows.append(row)
            }
            return DatabaseResponses.success()
        default: return DatabaseResponses.fault("unknown operation", 51)
        }
    }

    private static func pairs(_ elements: [XMLTree]) -> [String: String] {
        Dictionary(elements.map { ($0.value("NAME") ?? "", $0.value("VALUE") ?? "") }) { $1 }
    }

    private static func find(_ columns: [String: String], _ state: State) -> String? {
        guard !columns.isEmpty else { return nil }
        return state.contacts.filter { contact in
            columns.allSatisfy { contact.value[$0.key] == $0.value }
        }.keys.min()
    }
}
