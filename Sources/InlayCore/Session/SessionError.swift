/// The reason why a session could not start, or cannot do what was asked.
public enum SessionError: Error, Hashable, Sendable {
    /// The configuration is invalid; the text names the field and says what it should be.
    case invalidConfiguration(String)
    /// The folder could not be made or written.
    case folderUnusable(String)
    /// The session was logged out. Make a new one.
    case loggedOut
}
