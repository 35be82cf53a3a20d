import CLibPQ
import Foundation

/// A connection that is being opened on a thread of its own, so that the caller can stop waiting for it.
///
/// libpq's call tries all hosts of an address, each with a time limit, and cannot be cancelled.
///
/// Unchecked: everything is used only while `condition` is held.
final class PostgresConnectAttempt: @unchecked Sendable {
    private let condition = NSCondition()
    private var opened: OpaquePointer?
    private var isOpened = false
    private var isAbandoned = false

    /// The seconds between two checks of the server's state.
    private static let checkInterval = 0.2

    /// Returns the result of `connect`, or throws the server's failure as soon as there is one.
    ///
    /// After a failure the connection is closed as soon as it has been opened.
    static func open(
        _ serverState: PostgresServerState, _ connect: @escaping @Sendable () -> OpaquePointer?
    ) throws -> OpaquePointer? {
        let opening = PostgresConnectAttempt()
        // The thread ends with libpq's call, which has a limit.
        Thread { opening.finish(connect()) }.start()
        return try opening.wait(serverState)
    }

    private func wait(_ serverState: PostgresServerState) throws -> OpaquePointer? {
        condition.lock()
        defer { condition.unlock() }
        while !isOpened {
            if !condition.wait(until: Date(timeIntervalSinceNow: Self.checkInterval)),
                let failure = serverState.failure
            {
                isAbandoned = true
                throw failure
            }
        }
        return opened
    }

    private func finish(_ connection: OpaquePointer?) {
        condition.lock()
        opened = connection
        isOpened = true
        let isAbandoned = isAbandoned
        condition.signal()
        condition.unlock()
        if isAbandoned { PQfinish(connection) }
    }
}
