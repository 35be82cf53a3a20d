import Foundation

/// A value behind a lock, for state that an engine's threads and tasks share.
///
/// InlaySQL depends on none of our modules and not on SwiftNIO, so it can use neither the SDK's `Locked`, which is
/// internal to the SDK's package, nor `NIOLockedValueBox`. `Mutex` of the standard library needs macOS 15.
final class Locked<Value>: @unchecked Sendable {
    // Unchecked: `value` is used only while `lock` is held.
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<T>(_ body: (inout Value) throws -> T) rethrows -> T {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
