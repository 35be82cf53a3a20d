import NIOConcurrencyHelpers

/// A value that a test shares with closures on other tasks.
final class SharedValue<Value: Sendable>: Sendable {
    private let box: NIOLockedValueBox<Value>

    init(_ value: Value) { box = NIOLockedValueBox(value) }

    var value: Value { box.withLockedValue { $0 } }

    func set(to value: Value) { box.withLockedValue { $0 = value } }

    func change(_ body: (inout Value) -> Void) { box.withLockedValue { body(&$0) } }
}
