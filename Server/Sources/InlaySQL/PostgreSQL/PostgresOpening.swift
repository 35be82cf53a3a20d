import CLibPQ
import Foundation

/// A connection that is being opened on a thread of its own, so that whoever waits for it can stop waiting.
///
/// libpq's call goes through all hosts of an address and has a limit for each, but nothing ends it before.
///
/// Unchecked: everything is touched only while `condition` is held.
final class PostgresOpening: @unchecked Sendable {
    private let condition = NSCondition()
    private var opened: OpaquePointer?
    private var isOpened = false
    private var isLeft = false

    /// Between two looks at the watch.
    private static let look = 0.2

    /// Returns the result of `connect`, or throws the watch's failure as soon as there is one and closes the connection.
    static func open(
        _ watch: PostgresWatch, _ connect: @escaping @Sendable () -> OpaquePointer?
    ) throws -> OpaquePointer? {
        let opening = PostgresOpening()
        // Ends with libpq's call, which has a limit.
        Thread { opening.finish(connect()) }.start()
        return try opening.wait(watch)
    }

    private func wait(_ watch: PostgresWatch) throws -> OpaquePointer? {
        condition.lock()
        defer { condition.unlock() }
        while !isOpened {
            if !condition.wait(until: Date(timeIntervalSinceNow: Self.look)), let failure = watch.failure {
                isLeft = true
                throw failure
            }
        }
        return opened
    }

    private func finish(_ connection: OpaquePointer?) {
        condition.lock()
        opened = connection
        isOpened = true
        let isLeft = isLeft
        condition.signal()
        condition.unlock()
        if isLeft { PQfinish(connection) }
    }
}
