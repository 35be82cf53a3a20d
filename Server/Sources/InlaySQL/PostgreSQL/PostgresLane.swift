/// A writer of one name: a connection and thread of its own, with the group commit of one node's lane.
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
        // A savepoint is a subtransaction, and a backend keeps 64 of them at hand; with more, every look at a
        // row asks the disk's copy, and the group gets slower than two groups.
        writer = GroupWriter(groupLimit: sharesCommits ? 64 : 1) { work in thread.submit { work($0) } }
    }

    func stop() {
        writer.close()
        thread.stop()
    }
}
