/// A topic as one user follows it.
package struct LiveTopic: Hashable, Sendable {
    /// The environment of the user.
    package let environmentID: EnvironmentID
    /// The user who follows it.
    package let userID: UserID
    /// For example `cards/<container>`.
    package let topic: String

    /// Creates the topic that a user of an environment follows.
    package init(environmentID: EnvironmentID, userID: UserID, topic: String) {
        self.environmentID = environmentID
        self.userID = userID
        self.topic = topic
    }

    init(_ identity: ClientIdentity, _ topic: String) {
        self.init(environmentID: identity.environmentID, userID: identity.userID, topic: topic)
    }
}
