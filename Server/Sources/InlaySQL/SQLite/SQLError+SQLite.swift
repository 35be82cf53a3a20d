import GRDB

extension SQLError {
    /// Maps SQLite's result code to a kind.
    init(_ error: DatabaseError) {
        // The message leaves out the SQL, which is long, and its arguments, which are private.
        let kind = Self.kind(of: error)
        let message = kind == .timeout ? "The statement took longer than its limit." : error.message
        self.init(
            kind, message ?? "SQLite gave no message.", code: "SQLITE \(error.extendedResultCode.rawValue)")
    }

    private static func kind(of error: DatabaseError) -> Kind {
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
            return .uniqueViolation
        case .SQLITE_CONSTRAINT_FOREIGNKEY: return .foreignKeyViolation
        default: break
        }
        switch error.resultCode {
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: return .constraintViolation
        case .SQLITE_BUSY, .SQLITE_LOCKED: return .conflict
        case .SQLITE_FULL: return .diskFull
        case .SQLITE_NOTADB, .SQLITE_CORRUPT: return .notADatabase
        case .SQLITE_CANTOPEN, .SQLITE_PERM: return .cannotOpen
        case .SQLITE_READONLY: return .readOnly
        case .SQLITE_IOERR: return .fileFailed
        case .SQLITE_INTERRUPT: return .timeout
        case .SQLITE_TOOBIG: return .invalidValue
        case .SQLITE_ERROR, .SQLITE_MISUSE, .SQLITE_RANGE: return .invalidStatement
        default: return .other
        }
    }
}
