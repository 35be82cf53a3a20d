import NIOCore

/// Many raw sockets, opened a few at a time so that no queue of the kernel overflows.
struct SocketLoad {
    let sockets: [RawSocket]

    static func open(
        _ count: Int, atOnce: Int = 64, _ open: @escaping @Sendable (Int) async throws -> RawSocket
    ) async throws -> SocketLoad {
        let sockets = try await withThrowingTaskGroup(of: RawSocket.self) { group in
            var sockets: [RawSocket] = []
            sockets.reserveCapacity(count)
            for number in 0..<count {
                if number >= atOnce, let socket = try await group.next() { sockets.append(socket) }
                group.addTask { try await open(number) }
            }
            for try await socket in group { sockets.append(socket) }
            return sockets
        }
        return SocketLoad(sockets: sockets)
    }

    /// The number of sockets that the server has not closed.
    var openCount: Int { sockets.count { $0.channel.isActive } }

    func close() async {
        await withDiscardingTaskGroup { group in
            for socket in sockets { group.addTask { await socket.close() } }
        }
    }
}
