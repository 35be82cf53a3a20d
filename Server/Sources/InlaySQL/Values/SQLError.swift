/// What went wrong in a database, in words of both engines.
///
/// Messages name tables, columns and constraints, never the values of a statement.
public struct SQLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a caller can branch on.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's stable name.
        public let name: String
        public var description: String { name }

        /// A row with this key exists already.
        public static let uniqueViolation = Kind(name: "unique-violation")
        /// A row it refers to does not exist, or a row that refers to it still does.
        public static let foreignKeyViolation = Kind(name: "foreign-key-violation")
        /// `NOT NULL` or `CHECK` refused the row.
        public static let constraintViolation = Kind(name: "constraint-violation")
        /// Transactions got in each other's way; it was tried again and still failed. Try later.
        public static let conflict = Kind(name: "conflict")
        /// The connection broke before anything was committed. Nothing was written.
        public static let connectionLost = Kind(name: "connection-lost")
        /// The connection broke during the commit: it may have been written or not. Repeat with the
        /// same ids.
        public static let commitUnknown = Kind(name: "commit-unknown")
        /// No room on the disk. Nothing was written.
        public static let diskFull = Kind(name: "disk-full")
        /// A statement took longer than the limit (30 s) or, with PostgreSQL, waited too long for a lock.
        public static let timeout = Kind(name: "timeout")
        /// Too many bodies wait for the writer. Try later.
        public static let overloaded = Kind(name: "overloaded")
        /// The server did not answer in time and the connection was dropped. Nothing was written. Try later.
        public static let unresponsive = Kind(name: "unresponsive")
        /// The database takes no writes now: a standby, or made read-only by its operator. Try later.
        public static let databaseReadOnly = Kind(name: "database-read-only")
        /// The file was moved, replaced or cut under the running server. Nothing was written.
        public static let fileLost = Kind(name: "file-lost")
        /// The system could not read or write the file. Nothing was written.
        public static let fileFailed = Kind(name: "file-failed")
        /// ``SQLDatabase/close()`` was called.
        public static let closed = Kind(name: "closed")
        /// The file is not a SQLite database, or a damaged one. It was left as it is.
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
        /// An applied migration was edited or others were put before it.
        public static let migrationChanged = Kind(name: "migration-changed")
        /// The database holds migrations that this program does not know; it is older.
        public static let migrationUnknown = Kind(name: "migration-unknown")
        /// This engine cannot do it; the message says what to do instead.
        public static let unsupported = Kind(name: "unsupported")
        /// Anything else; see the message and the engine's code.
        public static let other = Kind(name: "other")
    }

    /// What a caller can branch on.
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

    static let unresponsive = SQLError(.unresponsive, "PostgreSQL did not answer in time.")
    static let databaseReadOnly = SQLError(
        .databaseReadOnly, "The database takes no writes: it is read-only.")
    static let closed = SQLError(.closed, "The database has been closed.")
}
