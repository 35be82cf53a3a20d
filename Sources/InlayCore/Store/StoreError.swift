import GRDB

/// The reason why the store did not do what was asked. Nothing that was stored before is lost by it, except with
/// `damaged`.
public enum StoreError: Error, Hashable, Sendable {
    /// The disk is full. What was asked did not happen; free some space and ask again.
    case diskFull
    /// The file was damaged; it was set aside and a new one is started with the next call.
    case damaged
    /// The user is not known yet: no token came.
    case noUser(TokenError)
    /// The session was logged out.
    case loggedOut
    /// Anything else SQLite said, with its extended result code.
    case failed(code: Int32, message: String)
}

extension StoreError {
    /// The store's files were moved or deleted again each time that it had begun anew.
    static var filesLost: Self {
        .failed(
            code: ResultCode.SQLITE_READONLY_DBMOVED.rawValue,
            message: "The store's files are moved or deleted while they are in use.")
    }
}
