/// How metrics of reading are told apart on the server.
public struct HubMetricsConfiguration: Hashable, Sendable {
    /// Names the app among those that share a server; `nil` leaves it out.
    public var applicationID: String?
    /// The reporting queue that events are meant for; `nil` is the environment's own.
    public var queue: String?

    /// A configuration.
    public init(applicationID: String? = nil, queue: String? = nil) {
        self.applicationID = applicationID
        self.queue = queue
    }
}
