/// The time that a call may wait for its turn, for a connection and for locks, all together and from its arrival on.
///
/// PostgreSQL's own `lock_timeout` counts from the beginning of each wait for a lock: a call that has waited for its
/// turn before would wait twice as long.
enum WaitLimit {
    /// A caller that only waits has its answer after this time.
    static let maximum = Duration.seconds(10)

    /// The part of it that is left to end the transaction and to answer.
    static let answer = Duration.milliseconds(500)

    /// The minimum wait for a lock. A long transaction goes on after its deadline, and PostgreSQL counts the short
    /// waits too, in which transactions take turns to let a table grow.
    static let minimumLockWait = Duration.milliseconds(100)

    /// Returns the time that a lock may still be waited for.
    static func lockWait(
        until deadline: ContinuousClock.Instant, now: ContinuousClock.Instant
    ) -> Duration {
        max(minimumLockWait, now.duration(to: deadline) - answer)
    }
}
