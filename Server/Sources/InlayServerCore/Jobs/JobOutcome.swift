@_spi(Inlay) package import InlayWire

/// The outcome of one job, as its handler reports it.
package enum JobOutcome: Sendable {
    /// The job is done and is removed. The note is for the feature's record.
    case finished(note: String)
    /// The job goes on at a later time, with another payload if there is one. Earlier errors count no more.
    case again(at: Timestamp, payload: String? = nil)
    /// The run failed. The job is tried again at this time, or else by its kind's rule, or given up.
    case retry(String, at: Timestamp? = nil)
    /// The run failed in a way that no retry would repair.
    case giveUp(String)
    /// The job was not run, for a reason that is not its own; the attempt does not count.
    case release(at: Timestamp)
    /// The handler has settled the job itself, in the transaction of its effect; see ``JobQueue/settle(_:in:)``.
    case settled

    /// The job is done, and there is nothing to note.
    package static var done: JobOutcome { .finished(note: "") }
}

/// The result of a job, decided from its outcome and the rules of its kind.
package enum JobResult: Sendable {
    /// It is done and removed, with the handler's note.
    case done(note: String)
    /// It is due again, and has no error.
    case again(at: Timestamp, payload: String?)
    /// It failed and is due again.
    case retry(at: Timestamp, error: String)
    /// It failed and is removed; without an error of its own when it expired before it was tried.
    case failed(error: String?)
    /// It was put back without being run.
    case released(at: Timestamp)
}

/// An error of one job that says whether a retry is of use.
package struct JobFailure: Error {
    let description: String
    let isFinal: Bool

    /// Creates a failure; the description is kept with the job.
    package init(_ description: String, isFinal: Bool = false) {
        self.description = description
        self.isFinal = isFinal
    }
}
