import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire

/// The operators that may sign in to the Workbench.
package struct OperatorStore: Sendable {
    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let passwords: Passwords

    /// Makes an operator; throws `conflict` when the login is taken, `invalid-value` for a login outside its limits,
    /// `account.password-unfit` for a password that ``PasswordRules`` refuse.
    ///
    /// A temporary password is one that another person knows: its operator must change it at the next sign-in.
    package func create(
        login: String, password: String, role: OperatorRole, isTemporary: Bool = false
    ) async throws -> Operator {
        let `operator` = Operator(
            id: Secret.id("op_"), login: try Self.login(login), role: role, createdAt: now(), disabledAt: nil,
            mustChangePassword: isTemporary)
        let hash = try await hash(password, of: `operator`.login)
        do {
            _ = try await database.write {
                try $0.execute(
                    """
                    INSERT INTO operators (id, login, role, password_hash, created_at, must_change_password,
                        password_set_at) VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        .text(`operator`.id), .text(`operator`.login), .text(role.rawValue), .text(hash),
                        .integer(`operator`.createdAt.microseconds), .int(isTemporary ? 1 : 0),
                        .integer(`operator`.createdAt.microseconds),
                    ])
            }
        } catch let error as SQLError where error.kind == .uniqueViolation {
            throw Problem(.conflict, status: 409, title: "An operator with this login exists already.")
        }
        return `operator`
    }

    /// Creates `admin` when there is no operator at all, and returns its password; otherwise returns `nil`.
    ///
    /// `chosen` is called in this case only; when it returns no password, the password is random and temporary. Of
    /// nodes that start at the same time, one creates the operator, and the others find the login taken.
    package func createFirst(
        password chosen: @Sendable () throws -> SecretString? = { nil }
    ) async throws -> String? {
        let isEmpty = try await database.read { try $0.row("SELECT 1 AS n FROM operators LIMIT 1") == nil }
        guard isEmpty else { return nil }
        let given = try chosen()?.value
        let password = given ?? Secret.random(bytes: 12)
        do {
            _ = try await create(
                login: "admin", password: password, role: .admin, isTemporary: given == nil)
            return password
        } catch let problem as Problem where problem.code == .conflict {
            return nil
        }
    }

    /// Returns all operators, sorted by login.
    package func operators() async throws -> [Operator] {
        try await database.read { try $0.rows("SELECT * FROM operators ORDER BY login").map(Operator.init) }
    }

    /// Returns the operator with this login; throws `not-found`.
    package func find(login: String) async throws -> Operator {
        let login = try Self.login(login)
        let found = try await database.read {
            try $0.row("SELECT * FROM operators WHERE login = ?", [.text(login)]).map(Operator.init)
        }
        guard let found else { throw Problem.notFound("operator", named: login) }
        return found
    }

    /// Sets another password, ends every sign-in of that operator, and lets them sign in at once, however many wrong
    /// passwords were counted. Returns the stored hash.
    ///
    /// With `compared`, the stored hash of the old password, throws `forbidden` when that was changed meanwhile.
    @discardableResult
    package func setPassword(
        _ operatorID: String, _ password: String, isTemporary: Bool = false,
        replacingHash compared: String? = nil
    ) async throws -> String {
        let login = try await database.read {
            try $0.row("SELECT login FROM operators WHERE id = ?", [.text(operatorID)])?.text("login")
        }
        guard let login else { throw Problem.notFound("operator", named: operatorID) }
        let hash = try await hash(password, of: login)
        let assignment = "password_hash = ?, must_change_password = ?, password_set_at = ?"
        let values: [SQLValue] = [
            .text(hash), .int(isTemporary ? 1 : 0), .integer(now().microseconds),
        ]
        try await change(operatorID, assignment, values, ifPasswordHash: compared) {
            try LogInAttempts(login: login, caller: .local).reset(in: $0)
        }
        return hash
    }

    /// Whether this is the operator's password now.
    package func hasPassword(_ operatorID: String, _ password: String) async throws -> Bool {
        let kept = try await database.read {
            try $0.row("SELECT password_hash FROM operators WHERE id = ?", [.text(operatorID)])?
                .text("password_hash")
        }
        return try await passwords.matches(PasswordRules.normalised(password), kept)
    }

    /// Gives an operator another role, from their next request on.
    package func setRole(_ operatorID: String, _ role: OperatorRole) async throws {
        try await database.changeOne(
            "operator", named: operatorID, "UPDATE operators SET role = ? WHERE id = ?",
            [.text(role.rawValue), .text(operatorID)])
    }

    /// Disables an operator and ends every sign-in at once, or enables the operator again.
    package func setDisabled(_ operatorID: String, _ isDisabled: Bool) async throws {
        let moment = isDisabled ? SQLValue.integer(now().microseconds) : .null
        try await change(operatorID, "disabled_at = ?", [moment])
    }

    /// Returns the operator with this login and password, and the password's stored hash, or `nil`; takes the same time
    /// either way.
    func signingIn(
        login: String, password: String
    ) async throws -> (operator: Operator, passwordHash: String)? {
        let login = Self.plain(login)
        let row = try await database.read {
            try $0.row("SELECT * FROM operators WHERE login = ? AND disabled_at IS NULL", [.text(login)])
        }
        let kept = try row?.text("password_hash")
        guard try await passwords.matches(PasswordRules.normalised(password), kept), let row, let kept
        else { return nil }
        return (try Operator(row: row), kept)
    }

    private func hash(_ password: String, of login: String) async throws -> String {
        try await passwords.hash(checked: PasswordRules.forOperator(login).checked(password))
    }

    /// Returns a login in the form in which logins are compared.
    package static func plain(_ login: String) -> String {
        login.trimmingCharacters(in: .whitespaces).lowercased()
    }

    private func change(
        _ operatorID: String, _ assignment: String, _ arguments: [SQLValue],
        ifPasswordHash compared: String? = nil,
        and more: @escaping @Sendable (any SQLConnection) throws -> Void = { _ in }
    ) async throws {
        let condition = compared == nil ? "" : " AND password_hash = ?"
        let keys: [SQLValue] = [operatorID, compared].compactMap { $0.map(SQLValue.text) }
        try await database.write { connection in
            // This waits for a sign-in that begins at the same time, so that the sign-in is among those that end.
            let changed = try connection.execute(
                "UPDATE operators SET \(assignment) WHERE id = ?\(condition)", arguments + keys)
            guard changed == 1 else {
                throw compared == nil
                    ? Problem.notFound("operator", named: operatorID) : Problem.signInRefused
            }
            try connection.execute("DELETE FROM operator_sessions WHERE operator_id = ?", [.text(operatorID)])
            try more(connection)
        }
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
            disabledAt: try row.optionalInt64("disabled_at").map(Timestamp.init(microseconds:)),
            mustChangePassword: try row.int("must_change_password") != 0)
    }
}
