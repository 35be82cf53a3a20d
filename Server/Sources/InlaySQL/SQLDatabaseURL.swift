public import Logging

/// Opens a database by its address.
public enum SQLDatabaseURL {
    /// What a statement may take: longer helps nobody on a request's way.
    public static let statementLimit = Duration.seconds(30)

    /// The silence of the server after which calls to it fail.
    public static let answerLimit = Duration.seconds(10)

    /// Opens `sqlite:PATH` (relative or absolute) or `postgres://user:password@host:port/name`.
    ///
    /// A SQLite file is made when it does not exist; its folder must. PostgreSQL is asked once, so that
    /// a wrong address or password is an error here, of kind `cannotOpen`, and not at the first request.
    /// Messages never contain the password. A statement of a body that takes longer than the limit, whole
    /// milliseconds, throws kind `timeout`; `nil` lets it. Migrations always take the time they need.
    ///
    /// With PostgreSQL every call has a deadline on this side too: `answerLimit` (at least 2 s to connect) after the
    /// statement's own limit. A server that answers nobody for `answerLimit` ends all calls, kind `unresponsive`.
    public static func open(
        _ url: String, logger: Logger = Logger(label: "inlay.sql"),
        statementLimit: Duration? = Self.statementLimit, answerLimit: Duration = Self.answerLimit
    ) async throws -> any SQLDatabase {
        if url.hasPrefix("sqlite:") {
            let path = String(url.dropFirst("sqlite:".count))
            guard !path.isEmpty, path != ":memory:" else {
                throw SQLError(
                    .cannotOpen, "SQLite needs a file: sqlite:PATH. Databases in memory are not durable.")
            }
            return try SQLiteDatabase(path: path, statementLimit: statementLimit)
        }
        if url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") {
            return try await PostgresDatabase(
                url: url, logger: logger, statementLimit: statementLimit, answerLimit: answerLimit)
        }
        throw SQLError(.cannotOpen, "A database address starts with sqlite: or postgres://.")
    }
}
