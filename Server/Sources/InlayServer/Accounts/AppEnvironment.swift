import InlayWire

/// Who owns environments; one for each customer of a shared server.
package struct Organisation: Hashable, Sendable, Identifiable {
    package let id: String
    /// As people call it.
    package var name: String
}

/// One world of users, keys and content, for example "Harbor production".
///
/// Nothing of one environment is reachable with an id or key of another.
package struct AppEnvironment: Hashable, Sendable, Identifiable {
    /// Sent by apps; letters, digits, `-` and `_`, at most 64.
    package let id: String
    /// Who it belongs to.
    package let organisationID: String
    /// As people call it.
    package var name: String
    /// Whose days and clocks the Workbench shows; the server's where `nil`.
    package var timeZone: CalendarZone?
    package let createdAt: Timestamp
}
