/// Bodies that share one transaction.
struct WriteGroup {
    let jobs: [any WriteJob]

    /// The time after which no further body of the group starts. Bodies that wait for locks would otherwise delay the
    /// commit of the bodies before them.
    private static let maximumTime = Duration.seconds(10)
    private static let late = SQLError(.overloaded, "The bodies before it took too long; try again later.")

    /// The error of a body whose statement exceeded its limit, after which SQLite rolled back the whole transaction.
    private struct Overrun: Error {
        let job: any WriteJob
        let cause: SQLError
    }

    /// The error of a group of several bodies that conflicted with another transaction.
    private struct Conflict: Error {}

    /// Runs and commits the group, with retries, and resumes the caller of every body.
    func commit(on connection: any TransactionConnection) {
        var left = jobs
        while !left.isEmpty {
            do {
                try Retry.run { try attempt(left, on: connection) }
                break
            } catch let overrun as Overrun {
                // The other bodies run again without it.
                overrun.job.fail(overrun.cause)
                left.removeAll { $0 === overrun.job }
            } catch is Conflict {
                for job in jobs where !left.contains(where: { $0 === job }) { job.resumeCaller() }
                commitAlone(left, on: connection)
                return
            } catch {
                left.forEach { $0.fail(error) }
                break
            }
        }
        jobs.forEach { $0.resumeCaller() }
    }

    /// Commits each body in a transaction of its own and resumes its caller. Such a transaction holds only the locks of
    /// one body, so the other bodies' locks cannot cause a deadlock.
    private func commitAlone(_ jobs: [any WriteJob], on connection: any TransactionConnection) {
        let end = ContinuousClock.now + Self.maximumTime
        for job in jobs {
            if .now < end {
                do { try Retry.run { try attempt([job], on: connection) } } catch { job.fail(error) }
            } else {
                job.fail(Self.late)
            }
            job.resumeCaller()
        }
    }

    private func attempt(_ jobs: [any WriteJob], on connection: any TransactionConnection) throws {
        do {
            try connection.begin(until: jobs[0].arrival + WaitLimit.maximum)
            do {
                try run(jobs, on: connection)
                try connection.commit()
            } catch let error as SQLError where error.kind == .conflict && jobs.count > 1 {
                throw Conflict()
            }
        } catch {
            connection.rollback()
            throw error
        }
    }

    private func run(_ jobs: [any WriteJob], on connection: any TransactionConnection) throws {
        // A single body needs no savepoint.
        guard jobs.count > 1 else { return try jobs[0].run(on: connection) }
        let end = ContinuousClock.now + Self.maximumTime
        for job in jobs {
            if .now < end { try runInSavepoint(job, on: connection) } else { job.fail(Self.late) }
        }
    }

    /// Runs a body in a savepoint. Stores the body's own error; throws an error that ended the whole transaction.
    private func runInSavepoint(_ job: any WriteJob, on connection: any TransactionConnection) throws {
        try connection.savepoint(until: job.arrival + WaitLimit.maximum)
        do {
            try job.run(on: connection)
        } catch {
            // A full disk makes SQLite roll back everything, and a deadlock makes PostgreSQL abort the transaction.
            // Then the bodies before this one are lost too and must not be acknowledged.
            guard connection.isInTransaction, !Retry.isRetryable(error) else {
                guard let cause = error as? SQLError, cause.kind == .timeout else { throw error }
                throw Overrun(job: job, cause: cause)
            }
            try connection.rollbackToSavepoint()
            job.fail(error)
        }
        try connection.releaseSavepoint()
    }
}
