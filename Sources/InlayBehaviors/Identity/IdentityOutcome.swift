/// What identifying somebody led to.
public enum IdentityOutcome: String, Hashable, Sendable {
    /// Nobody had these values: they were written to the contact in use.
    case updated
    /// The values belong to a contact that no app knew: it got this app's id, and is in use now.
    case adopted
    /// The values belong to a contact that an app knew: its id and contact are in use now.
    case merged
    /// The values belong to the contact in use.
    case unchanged
}
