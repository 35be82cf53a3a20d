import NIOConcurrencyHelpers

/// A flag that one task sets and another one reads.
final class Flag: Sendable {
    private let value = NIOLockedValueBox(false)

    var isSet: Bool { value.withLockedValue { $0 } }

    func set() { value.withLockedValue { $0 = true } }
}
