import NIOConcurrencyHelpers

/// Something that happened, seen from another task.
final class Flag: Sendable {
    private let value = NIOLockedValueBox(false)

    var isSet: Bool { value.withLockedValue { $0 } }

    func set() { value.withLockedValue { $0 = true } }
}
