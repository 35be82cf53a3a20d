import InlayWire

/// The news that a topic's state has at least this version now.
package struct LiveChange: Codable, Hashable, Sendable {
    /// The environment it happened in.
    package var environmentID: String
    /// Whose state changed; `nil` for everyone in the environment who follows the topic.
    package var userID: String?
    /// For example `cards/<container>`.
    package var topic: String
    /// Versions of one user's topic only grow.
    package var version: Int64

    /// News for one user, or for everyone when `userID` is `nil`.
    package init(environmentID: String, userID: String?, topic: String, version: Int64) {
        self.environmentID = environmentID
        self.userID = userID
        self.topic = topic
        self.version = version
    }

    // Short names: a notification of the database holds at most 7,900 bytes.
    private enum CodingKeys: String, CodingKey {
        case environmentID = "e"
        case userID = "u"
        case topic = "t"
        case version = "v"
    }
}
