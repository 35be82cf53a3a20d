public import Logging

/// The opening of a database by its address.
public enum SQLDatabaseURL {
    /// The default time limit for a statement; the client of a request has given up by then.
    public static let statementLimit = Duration.seconds(30)

    /// The default time without a response from the database server after which calls to it fail.
    public static let answerLimit = Duration.seconds(10)

    /// Opens `sqlite:PATH` (relative or absolute) or `postgres://user:password@host:port/name`.
    ///
    /// A SQLite file is created when it does not exist; its folder must exist. A connection to PostgreSQL is tested,
    /// so that a wrong address or password throws kind `cannotOpen` here and not at the first request. In the address
    /// `@`, `/`, `?`, `:` and `%` of a user name or a password are percent-encoded. Messages never contain the
    /// password: an address of which libpq would quote a part is refused before libpq reads it.
    ///
    /// A statement that takes longer than `statementLimit` (whole milliseconds; `nil` for no limit) throws kind
    /// `timeout`. Migrations have no limit.
    ///
    /// With PostgreSQL and a statement limit, each call also has a deadline in this process: the sum of the
    /// two limits. Connecting takes at most `answerLimit`, but at least 2 s, for each address of the host.
    /// When the server sends no response for `answerLimit`, all calls throw kind `unresponsive`.
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
        if PostgresURL(url) != nil {
            return try await PostgresDatabase(
                url: url, logger: logger, statementLimit: statementLimit, answerLimit: answerLimit)
        }
        throw SQLError.unknownAddress
    }

    /// Returns the passwords in an address, as they are written and decoded, also when the address cannot be read.
    package static func passwords(in url: String) -> [String] { PostgresURL(url)?.passwords ?? [] }
}
