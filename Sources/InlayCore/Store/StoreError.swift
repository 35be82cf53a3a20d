import GRDB

/// The reason why an access to the store failed. Earlier data are kept, except with `damaged`.
public enum StoreError: Error, Hashable, Sendable {
    /// The disk is full and the call had no effect. Free some space and call again.
    case diskFull
    /// The file was damaged and was set aside; the next call starts a new one.
    case damaged
    /// The user is not known yet, because there was no token.
    case noUser(TokenError)
    /// The session was logged out.
    case loggedOut
    /// Any other error of SQLite, with its extended result code.
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
