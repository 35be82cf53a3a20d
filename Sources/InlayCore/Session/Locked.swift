import Foundation

/// A value behind a lock, for state that must be reached without `await`.
///
/// `Mutex` of the standard library needs newer systems than the SDK does.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    // `@unchecked`: every access to `value` happens between `lock` and `unlock`.
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    /// Runs `body` with exclusive access to the value. `body` must not use the same lock.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
