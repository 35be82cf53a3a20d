import Foundation
import InlaySQL
import InlayWire

/// Who may sign in to the Workbench.
package struct OperatorStore: Sendable {
    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let passwords = Passwords()

    /// Makes an operator; throws `conflict` when the login is taken, `invalid-value` for a login or password
    /// outside its limits.
    package func create(login: String, password: String, role: OperatorRole) async throws -> Operator {
        let someone = Operator(
            id: Secret.id("op_"), login: try Self.login(login), role: role, createdAt: now(), disabledAt: nil)
        let hash = try await passwords.hash(password)
        do {
            _ = try await database.write {
                try $0.execute(
                    "INSERT INTO operators (id, login, role, password_hash, created_at) VALUES (?, ?, ?, ?, ?)",
                    [
                        .text(someone.id), .text(someone.login), .text(role.rawValue), .text(hash),
                        .integer(someone.createdAt.microseconds),
                    ])
            }
        } catch let error as SQLError where error.kind == .uniqueViolation {
            throw Problem(.conflict, status: 409, title: "An operator with this login exists already.")
        }
        return someone
    }

    /// Makes `admin` with a random password when there is no operator at all; returns the password, once.
    ///
    /// Nodes that start at the same time make one between them: the others' insert finds the login taken.
    package func createFirst() async throws -> String? {
        let isEmpty = try await database.read { try $0.row("SELECT 1 AS n FROM operators LIMIT 1") == nil }
        guard isEmpty else { return nil }
        let password = Secret.random(bytes: 12)
        do {
            _ = try await create(login: "admin", password: password, role: .admin)
            return password
        } catch let problem as Problem where problem.code == .conflict {
            return nil
        }
    }

    /// Everyone, by login.
    package func operators() async throws -> [Operator] {
        try await database.read { try $0.rows("SELECT * FROM operators ORDER BY login").map(Operator.init) }
    }

    /// Who signs in with this login; throws `not-found`.
    package func find(login: String) async throws -> Operator {
        let login = try Self.login(login)
        let found = try await database.read {
            try $0.row("SELECT * FROM operators WHERE login = ?", [.text(login)]).map(Operator.init)
        }
        guard let found else { throw Problem.notFound("operator") }
        return found
    }

    /// Sets another password and ends every sign-in of that operator.
    package func setPassword(_ operatorID: String, _ password: String) async throws {
        let hash = try await passwords.hash(password)
        try await change(operatorID, "password_hash = ?", [.text(hash)])
    }

    /// Gives an operator another role, from their next request on.
    package func setRole(_ operatorID: String, _ role: OperatorRole) async throws {
        let changed = try await database.write {
            try $0.execute(
                "UPDATE operators SET role = ? WHERE id = ?", [.text(role.rawValue), .text(operatorID)])
        }
        guard changed == 1 else { throw Problem.notFound("operator") }
    }

    /// Shuts an operator out, at once, or lets them in again.
    package func setDisabled(_ operatorID: String, _ isDisabled: Bool) async throws {
        let moment = isDisabled ? SQLValue.integer(now().microseconds) : .null
        try await change(operatorID, "disabled_at = ?", [moment])
    }

    /// The operator with this login and password, or `nil`; takes the same time either way.
    func signingIn(login: String, password: String) async throws -> Operator? {
        let login = login.trimmingCharacters(in: .whitespaces).lowercased()
        let row = try await database.read {
            try $0.row("SELECT * FROM operators WHERE login = ? AND disabled_at IS NULL", [.text(login)])
        }
        guard try await passwords.matches(password, try row?.text("password_hash")) else { return nil }
        return try row.map(Operator.init)
    }

    private func change(_ operatorID: String, _ assignment: String, _ arguments: [SQLValue]) async throws {
        let changed = try await database.write { connection in
            try connection.execute("DELETE FROM operator_sessions WHERE operator_id = ?", [.text(operatorID)])
            return try connection.execute(
                "UPDATE operators SET \(assignment) WHERE id = ?", arguments + [.text(operatorID)])
        }
        guard changed == 1 else { throw Problem.notFound("operator") }
    }

    private static func login(_ text: String) throws -> String {
        let login = text.trimmingCharacters(in: .whitespaces).lowercased()
        let isPlain = login.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0.value > 32 }
        guard (2...128).contains(login.utf8.count), isPlain else {
            throw Problem.invalidValue(
                "login", "2 to 128 characters without spaces, for example a mail address.")
        }
        return login
    }
}

extension Operator {
    init(row: SQLRow) throws {
        self.init(
            id: try row.text("id"), login: try row.text("login"),
            role: OperatorRole(rawValue: try row.text("role")) ?? .analyst,
            createdAt: Timestamp(microseconds: try row.int64("created_at")),
            disabledAt: try row.optionalInt64("disabled_at").map(Timestamp.init(microseconds:)))
    }
}
