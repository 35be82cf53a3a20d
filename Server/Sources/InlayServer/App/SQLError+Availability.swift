import InlaySQL

extension SQLError {
    /// When a caller may come back, in seconds, where the database cannot serve the request now; `nil` where the
    /// error is of another sort.
    var retrySeconds: Int? {
        switch kind {
        case .overloaded, .conflict, .timeout, .connectionLost, .commitUnknown, .closed: 1
        case .unresponsive, .databaseReadOnly, .cannotOpen: 5
        case .diskFull, .fileLost, .fileFailed, .notADatabase: 60
        default: nil
        }
    }

    /// Why the database cannot be used, in words that may leave the server: an error's own may hold addresses.
    var publicReason: String {
        switch kind {
        case .unresponsive, .timeout: "The database does not answer."
        case .connectionLost, .cannotOpen: "The database cannot be reached."
        case .databaseReadOnly: "The database takes no writes: it is read-only."
        case .diskFull: "The disk has no room left."
        case .fileLost: "The database's file was moved, replaced or cut."
        case .fileFailed, .notADatabase: "The database's file cannot be read or written."
        case .closed: "The server stops."
        default: "The database cannot be used."
        }
    }
}
