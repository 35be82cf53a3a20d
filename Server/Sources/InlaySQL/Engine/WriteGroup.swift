/// Bodies that share one transaction, and the rules for what fails whom.
struct WriteGroup {
    let jobs: [any WriteJob]

    /// Runs and commits the group, again when the engine asks for it, and answers every body.
    func commit(on connection: any TransactionConnection) {
        do {
            try Retry.run { try attempt(on: connection) }
        } catch {
            jobs.forEach { $0.fail(error) }
        }
        jobs.forEach { $0.answer() }
    }

    private func attempt(on connection: any TransactionConnection) throws {
        do {
            try connection.begin()
            if jobs.count == 1 {
                // The transaction itself is the savepoint of a lone body.
                try jobs[0].run(on: connection)
            } else {
                for job in jobs { try runInSavepoint(job, on: connection) }
            }
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
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
            guard connection.isInTransaction, !Retry.isWorthwhile(error) else { throw error }
            try connection.rollbackToSavepoint()
            job.fail(error)
        }
        try connection.releaseSavepoint()
    }
}
