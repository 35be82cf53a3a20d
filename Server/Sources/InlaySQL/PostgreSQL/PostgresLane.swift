/// A write lane: a connection, its thread and the lane's group commit.
final class PostgresLane: Sendable {
    let name: String
    let writer: GroupWriter
    let thread: ConnectionThreads<PostgresConnection>

    init(_ name: String, address: PostgresAddress, sharesCommits: Bool = true) {
        self.name = name
        let thread = ConnectionThreads(count: 1, name: "inlay-write-\(name)") { _ in
            PostgresConnection(address)
        }
        self.thread = thread
        // A savepoint is a subtransaction, and PostgreSQL caches 64 of them for each backend. With more, visibility
        // checks read the subtransaction log, and one group is slower than two.
        writer = GroupWriter(maximumGroupSize: sharesCommits ? 64 : 1) { work in thread.submit { work($0) } }
    }

    func stop() {
        writer.close()
        thread.stop()
    }
}
