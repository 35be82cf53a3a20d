@_spi(Inlay) package import InlayWire

/// The name of one kind of work; a handler runs all jobs of its kind.
package struct JobKind: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The name, for example `devices.mail`; without `/`.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    package init(stringLiteral name: String) { rawValue = name }

    package var description: String { rawValue }

    /// Returns the name of a lane in the table, which has the kind in front: lanes of two kinds are never the same.
    func name(ofLane lane: String) -> String { "\(rawValue)/\(lane)" }

    /// Returns the lane that has this name in the table.
    func lane(named name: String) -> String { String(name.dropFirst(rawValue.count + 1)) }
}

/// Work that the server does later, as a feature enqueues it.
package struct NewJob: Sendable {
    package let id: Job.ID
    let lane: String
    let dueAt: Timestamp
    let expiresAt: Timestamp?
    let minimumAttempts: Int
    let payload: String

    /// Creates a job of an environment, or of ``EnvironmentID/noEnvironment`` for the server's own work.
    ///
    /// `key` is unique among the jobs of its kind and environment. A job waits behind the others of its lane only; the
    /// default lane is that of its environment. No retry is made after `expiresAt`, and a job that waits longer is
    /// given up when it has had `minimumAttempts`.
    package init(
        _ kind: JobKind, key: String, in environmentID: EnvironmentID, lane: String? = nil,
        at dueAt: Timestamp,
        expiresAt: Timestamp? = nil, minimumAttempts: Int = 0, payload: String = ""
    ) {
        id = Job.ID(environmentID: environmentID, kind: kind, key: key)
        self.lane = lane ?? environmentID.rawValue
        self.dueAt = dueAt
        self.expiresAt = expiresAt
        self.minimumAttempts = minimumAttempts
        self.payload = payload
    }

    /// The name of its lane in the table.
    var laneName: String { id.kind.name(ofLane: lane) }
}

/// A job that this node has claimed.
package struct Job: Sendable, Identifiable {
    /// The identity of a job in the table.
    package struct ID: Hashable, Sendable {
        package let environmentID: EnvironmentID
        package let kind: JobKind
        package let key: String

        package init(environmentID: EnvironmentID, kind: JobKind, key: String) {
            self.environmentID = environmentID
            self.kind = kind
            self.key = key
        }
    }

    package let id: ID
    /// The name of its lane in the table: the kind and the lane within the kind.
    let laneName: String
    /// The id of the claim. Another claim of the same job has another one, so a late result changes nothing.
    package let claim: String
    /// The number of runs that failed since the job was enqueued or last succeeded, plus this one.
    package internal(set) var attempts: Int
    /// The time after which no retry is made.
    package let expiresAt: Timestamp?
    /// The feature's own data for the job, as text.
    package let payload: String
    /// The error of the previous run, or empty.
    let lastError: String

    package var environmentID: EnvironmentID { id.environmentID }
    package var key: String { id.key }
}
