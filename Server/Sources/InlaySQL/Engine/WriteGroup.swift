/// Bodies that share one transaction, and the rules for what fails whom.
struct WriteGroup {
    let jobs: [any WriteJob]

    /// After this time a group is committed as it is: bodies that wait for locks, one after the other, would else
    /// hold up those before them that have their answer.
    private static let limit = Duration.seconds(10)
    private static let late = SQLError(.overloaded, "The bodies before it took too long; try again later.")

    /// A body's statement ran too long, and SQLite gave up the whole transaction for it.
    private struct Overrun: Error {
        let job: any WriteJob
        let cause: SQLError
    }

    /// Several bodies together and another transaction got in each other's way.
    private struct Conflict: Error {}

    /// Runs and commits the group, again when the engine asks for it, and answers every body.
    func commit(on connection: any TransactionConnection) {
        var left = jobs
        while !left.isEmpty {
            do {
                try Retry.run { try attempt(left, on: connection) }
                break
            } catch let overrun as Overrun {
                // The others have done nothing wrong: they run again without it.
                overrun.job.fail(overrun.cause)
                left.removeAll { $0 === overrun.job }
            } catch is Conflict {
                for job in jobs where !left.contains(where: { $0 === job }) { job.answer() }
                commitAlone(left, on: connection)
                return
            } catch {
                left.forEach { $0.fail(error) }
                break
            }
        }
        jobs.forEach { $0.answer() }
    }

    /// Commits each body alone and answers it: together they hold locks that others wait for, in an order of their own,
    /// and alone each has only its own.
    private func commitAlone(_ jobs: [any WriteJob], on connection: any TransactionConnection) {
        let end = ContinuousClock.now + Self.limit
        for job in jobs {
            if .now < end {
                do { try Retry.run { try attempt([job], on: connection) } } catch { job.fail(error) }
            } else {
                job.fail(Self.late)
            }
            job.answer()
        }
    }

    private func attempt(_ jobs: [any WriteJob], on connection: any TransactionConnection) throws {
        do {
            try connection.begin()
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
        // The transaction itself is the savepoint of a lone body.
        guard jobs.count > 1 else { return try jobs[0].run(on: connection) }
        let end = ContinuousClock.now + Self.limit
        for job in jobs {
            if .now < end { try runInSavepoint(job, on: connection) } else { job.fail(Self.late) }
        }
    }

    /// A body's own error stays with it; an error that touches the whole transaction is thrown.
    private func runInSavepoint(_ job: any WriteJob, on connection: any TransactionConnection) throws {
        try connection.savepoint()
        do {
            try job.run(on: connection)
        } catch {
            // A full disk makes SQLite roll back everything, a deadlock makes PostgreSQL give up the
            // transaction: the bodies before this one are gone too and must not be acknowledged.
            guard connection.isInTransaction, !Retry.isWorthwhile(error) else {
                guard let cause = error as? SQLError, cause.kind == .timeout else { throw error }
                throw Overrun(job: job, cause: cause)
            }
            try connection.rollbackToSavepoint()
            job.fail(error)
        }
        try connection.releaseSavepoint()
    }
}
