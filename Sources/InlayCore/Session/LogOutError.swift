/// Something that was pending could not be sent at log-out. The user's data are gone all the same.
public enum LogOutError: Error, Sendable {
    /// The server could not be reached; holds the cause.
    case network(any Error)
    /// The server refused what was sent or answered with something unreadable, there was no token, the
    /// store could not be read, or an earlier run left something that only a feature can send which this run
    /// never used (`OutboxError.unknownLane`); holds the cause.
    case data(any Error)

    /// What went wrong below.
    public var underlying: any Error {
        switch self {
        case .network(let error), .data(let error): error
        }
    }
}
