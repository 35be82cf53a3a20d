import Foundation

/// A value behind a lock.
final class Guarded<Value>: @unchecked Sendable {
    // `@unchecked`: every access to `value` happens between `lock` and `unlock`.
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
