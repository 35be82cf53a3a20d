package import InlaySQL

/// The users who match a condition: those of some rows in a feature's table.
///
/// The environment is added here, and rows without a user are left out. A condition can therefore not forget the
/// environment, and its opposite is not empty because of one row without a user (`NOT IN` with `NULL`).
package struct AudienceQuery: Sendable {
    private let source: String
    private let environment: String
    private let user: String
    private let predicate: String
    private let arguments: [SQLValue]
    private let minimumRows: Int?

    /// The users of the rows that fulfil a predicate.
    ///
    /// Names and predicates are SQL and never contain text that an operator entered; that is among the arguments.
    ///
    /// - Parameters:
    ///   - source: A table with its alias, and what is joined to it.
    ///   - environment: The column with the environment.
    ///   - user: The column with the user's id.
    ///   - predicate: What the rows must fulfil; its arguments follow. All rows when it is empty.
    ///   - minimumRows: The number of rows that a user must have.
    package init(
        from source: String, environment: String = "environment_id", user: String = "user_id",
        where predicate: String = "", _ arguments: [SQLValue] = [], minimumRows: Int? = nil
    ) {
        self.source = source
        self.environment = environment
        self.user = user
        self.predicate = predicate
        self.arguments = arguments
        self.minimumRows = minimumRows
    }

    /// The statement that selects the users' ids in an environment, with its arguments.
    package func selection(in environmentID: EnvironmentID) -> (sql: String, arguments: [SQLValue]) {
        var sql = "SELECT \(user) FROM \(source) WHERE \(environment) = ? AND \(user) IS NOT NULL"
        // In parentheses: an OR in the predicate would lead out of the environment.
        if !predicate.isEmpty { sql += " AND (\(predicate))" }
        var all: [SQLValue] = [.id(environmentID)] + arguments
        if let minimumRows {
            sql += " GROUP BY \(user) HAVING COUNT(*) >= ?"
            all.append(.int(minimumRows))
        }
        return (sql, all)
    }
}
