@_spi(Inlay) import InlayWire

/// A notification that a topic's state has at least this version now.
package struct LiveChange: Codable, Hashable, Sendable {
    /// The environment of the change.
    package var environmentID: EnvironmentID
    /// The user whose state changed; `nil` for everyone in the environment who follows the topic.
    package var userID: UserID?
    /// For example `cards/<container>`.
    package var topic: String
    /// The version of the state. Versions of one user's topic only grow.
    package var version: Int64

    /// Creates a change for one user, or for everyone when `userID` is `nil`.
    package init(environmentID: EnvironmentID, userID: UserID?, topic: String, version: Int64) {
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

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        // From another node of this server.
        environmentID = EnvironmentID(verified: try values.decode(String.self, forKey: .environmentID))
        userID = try values.decodeIfPresent(UserID.self, forKey: .userID)
        topic = try values.decode(String.self, forKey: .topic)
        version = try values.decode(Int64.self, forKey: .version)
    }
}
