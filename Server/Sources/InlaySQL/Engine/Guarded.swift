import Foundation

/// A value behind a lock, for the few places that threads of an engine and tasks share.
final class Guarded<Value>: @unchecked Sendable {
    // Unchecked: `value` is touched only while `lock` is held.
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<T>(_ body: (inout Value) throws -> T) rethrows -> T {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
