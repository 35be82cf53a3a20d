import Foundation

/// Returns the processor time that this thread has used, which other work on the machine does not lengthen.
public func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
