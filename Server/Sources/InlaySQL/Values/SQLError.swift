/// An error of a database, with kinds that both engines share.
///
/// Messages name tables, columns and constraints, never the values of a statement.
public struct SQLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error, for callers that branch on it.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's stable name.
        public let name: String
        public var description: String { name }

        /// A row with this key exists already.
        public static let uniqueViolation = Kind(name: "unique-violation")
        /// The row that this row refers to does not exist, or another row still refers to this one.
        public static let foreignKeyViolation = Kind(name: "foreign-key-violation")
        /// `NOT NULL` or `CHECK` refused the row.
        public static let constraintViolation = Kind(name: "constraint-violation")
        /// Concurrent transactions conflicted, and retries failed too. Try later.
        public static let conflict = Kind(name: "conflict")
        /// The connection broke before anything was committed. Nothing was written.
        public static let connectionLost = Kind(name: "connection-lost")
        /// The connection broke during the commit, which may have succeeded or not. Repeat with the
        /// same ids.
        public static let commitUnknown = Kind(name: "commit-unknown")
        /// The disk is full. Nothing was written.
        public static let diskFull = Kind(name: "disk-full")
        /// A statement took longer than its limit (30 s by default) or, with PostgreSQL, waited too long for a lock.
        public static let timeout = Kind(name: "timeout")
        /// Too many bodies wait for the writer. Try later.
        public static let overloaded = Kind(name: "overloaded")
        /// The server did not respond in time and the connection was dropped. Nothing was written. Try later.
        public static let unresponsive = Kind(name: "unresponsive")
        /// The database accepts no writes now: it is a standby, or its operator made it read-only. Try later.
        public static let databaseReadOnly = Kind(name: "database-read-only")
        /// The file, its log or the log's index was moved, replaced or truncated while the server ran. Nothing is
        /// acknowledged; a commit that was in progress may have happened or not.
        public static let fileLost = Kind(name: "file-lost")
        /// The system could not read or write the file. Nothing was written.
        public static let fileFailed = Kind(name: "file-failed")
        /// ``SQLDatabase/close()`` or ``SQLDatabase/abandon()`` was called.
        public static let closed = Kind(name: "closed")
        /// The file is not a SQLite database or is damaged. It was left unchanged.
        public static let notADatabase = Kind(name: "not-a-database")
        /// The database could not be opened: folder, permission, address or password.
        public static let cannotOpen = Kind(name: "cannot-open")
        /// A statement that writes in a body that only reads.
        public static let readOnly = Kind(name: "read-only")
        /// A value that one of the engines cannot store: text with NUL, NaN.
        public static let invalidValue = Kind(name: "invalid-value")
        /// A row without the expected column or with another kind of value.
        public static let unexpectedResult = Kind(name: "unexpected-result")
        /// The statement is wrong: syntax, unknown table or column, wrong number of arguments.
        public static let invalidStatement = Kind(name: "invalid-statement")
        /// An applied migration was edited, or another was inserted before it.
        public static let migrationChanged = Kind(name: "migration-changed")
        /// The database holds migrations of a newer program.
        public static let migrationUnknown = Kind(name: "migration-unknown")
        /// The engine does not support the operation; the message names an alternative.
        public static let unsupported = Kind(name: "unsupported")
        /// Anything else; see the message and the engine's code.
        public static let other = Kind(name: "other")
    }

    /// The kind, for callers that branch on it.
    public let kind: Kind
    /// One sentence for the log.
    public let message: String
    /// The engine's own code: SQLite's extended result code or PostgreSQL's SQLSTATE.
    public let code: String?

    init(_ kind: Kind, _ message: String, code: String? = nil) {
        self.kind = kind
        self.message = message
        self.code = code
    }

    public var description: String { "\(kind): \(message)" + (code.map { " (\($0))" } ?? "") }

    static let unknownAddress = SQLError(
        .cannotOpen, "A database address starts with sqlite: or postgres://.")
    static let unresponsive = SQLError(.unresponsive, "PostgreSQL did not answer in time.")
    static let databaseReadOnly = SQLError(
        .databaseReadOnly, "The database is read-only.")
    static let closed = SQLError(.closed, "The database has been closed.")
}
