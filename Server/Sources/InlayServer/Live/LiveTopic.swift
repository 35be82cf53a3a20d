/// A topic as one user follows it.
package struct LiveTopic: Hashable, Sendable {
    /// The environment of the user.
    package let environmentID: String
    /// Who follows it.
    package let userID: String
    /// For example `cards/<container>`.
    package let topic: String

    /// What a user of an environment follows.
    package init(environmentID: String, userID: String, topic: String) {
        self.environmentID = environmentID
        self.userID = userID
        self.topic = topic
    }

    init(_ identity: ClientIdentity, _ topic: String) {
        self.init(environmentID: identity.environmentID, userID: identity.userID, topic: topic)
    }
}
