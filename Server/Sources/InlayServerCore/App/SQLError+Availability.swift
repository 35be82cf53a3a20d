package import InlaySQL

extension SQLError {
    /// The seconds until a caller may retry, when the database cannot serve the request now; `nil` for every other
    /// error.
    package var retrySeconds: Int? {
        switch kind {
        case .overloaded, .conflict, .timeout, .connectionLost, .commitUnknown, .closed: 1
        case .unresponsive, .databaseReadOnly, .cannotOpen: 5
        case .diskFull, .fileLost, .fileFailed, .notADatabase: 60
        default: nil
        }
    }

    /// The reason why the database is unavailable, as a text for clients: an error's own may hold addresses.
    var publicReason: String {
        switch kind {
        case .unresponsive, .timeout: "The database does not answer."
        case .connectionLost, .cannotOpen: "The database cannot be reached."
        case .databaseReadOnly: "The database is read-only."
        case .diskFull: "The disk is full."
        case .fileLost: "The database's file or its write-ahead log was moved, replaced or truncated."
        case .fileFailed, .notADatabase: "The database's file cannot be read or written."
        case .closed: "The server stops."
        default: "The database cannot be used."
        }
    }
}
