@_spi(Inlay) package import InlayWire

/// The owner of environments; one for each customer of a shared server.
package struct Organisation: Hashable, Sendable, Identifiable {
    package let id: String
    /// The display name.
    package var name: String
}

/// An isolated set of users, keys and content, for example "Harbor production".
///
/// Nothing of one environment is reachable with an id or key of another.
package struct AppEnvironment: Hashable, Sendable, Identifiable {
    /// The id that apps send: 1 to 64 letters, digits, `-`, `_` and `.`.
    package let id: EnvironmentID
    /// The organisation that owns the environment.
    package let organisationID: String
    /// The display name.
    package var name: String
    /// The time zone of the Workbench's days and clocks; `nil` for the server's.
    package var timeZone: CalendarZone?
    package let createdAt: Timestamp
}
