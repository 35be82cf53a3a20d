public import InlayCore
public import InlayTrust

/// Why the hub did not do what was asked. What was there before stays and is still served.
public enum HubError: Error, Equatable, Sendable {
    /// `start` was not called yet.
    case notStarted
    /// The configuration cannot work; the text says which field and what it should be.
    case invalidConfiguration(String)
    /// A user's id or a tag is empty or too long; the text says which.
    case invalidArgument(String)
    /// No user was created with this id.
    case unknownUser(String)
    /// A user with this id is there already, and keeps its tags.
    case userExists(String)
    /// The publisher has disabled the hub; with the reason, if any, in words for the reader.
    case disabled(reason: String?)
    /// A hub is on screen; dismiss it first. Only one can be shown.
    case alreadyDisplayed
    /// The hub is not on screen.
    case notDisplayed
    /// There is nothing to show yet, and nothing could be fetched.
    case noContent
    /// The content source holds no hub.
    case noHub
    /// The address names no hub, channel or article of this version.
    case unknownAddress(String)
    /// The publisher took this article back.
    case recalled(String)
    /// The content ran out and could not be renewed, and the publisher wants such content hidden.
    case stale
    /// The version has no such file.
    case unknownFile(String)
    /// The file on disk is not what was signed. It was removed and is fetched again.
    case damagedFile(String)
    /// The server could not be reached.
    case network(TransportError)
    /// The server answered a request for content with this status.
    case refused(status: Int)
    /// What the server sent is not what the publisher signed, or not what a device may take.
    case trust(TrustError)
    /// A version is larger than the configuration allows, or has more files.
    case tooLarge(String)
    /// A verified file is not what its name says.
    case invalidContent(String)
    /// The disk is full. What was asked did not happen; free some space and ask again.
    case diskFull
    /// Anything else the file system or SQLite said.
    case storage(String)
    /// The session was logged out.
    case loggedOut
    /// The caller was cancelled.
    case cancelled
}
