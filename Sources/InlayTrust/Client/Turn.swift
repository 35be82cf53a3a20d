/// Lets one caller in at a time, in the order of arrival, across its awaits.
///
/// An actor alone lets others in at every `await`: two updates would then compare with and write to a
/// store that the other is changing.
final class Turn {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func taken<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(TrustError) -> sending Value
    ) async throws(TrustError) -> sending Value {
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        }
        isTaken = true
        defer {
            // Handed over without opening: who waits is ahead of who comes now.
            if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
        }
        return try await body()
    }
}
