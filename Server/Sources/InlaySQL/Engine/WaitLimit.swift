/// The maximum time that a call may wait for its turn, for a connection and for locks, all together, from its arrival
/// on.
///
/// PostgreSQL's own `lock_timeout` counts from the beginning of each wait for a lock, so that a call which has already
/// waited for its turn would wait twice as long.
enum WaitLimit {
    /// The time after which a call that only waits throws.
    static let maximum = Duration.seconds(10)

    /// The part of `maximum` that is reserved to end the transaction and to resume the caller.
    static let reserve = Duration.milliseconds(500)

    /// The minimum `lock_timeout`. A long transaction continues after its deadline, and `lock_timeout` also applies to
    /// the short waits in which transactions take turns to extend a table.
    static let minimumLockWait = Duration.milliseconds(100)

    /// Returns the time for which a statement may still wait for a lock.
    static func lockWait(
        until deadline: ContinuousClock.Instant, now: ContinuousClock.Instant
    ) -> Duration {
        max(minimumLockWait, now.duration(to: deadline) - reserve)
    }
}
