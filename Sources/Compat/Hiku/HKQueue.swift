/// Does one thing after the other on the main thread, in the order in which the app asked.
@MainActor final class HKQueue {
    private var last: Task<Void, Never>?

    func add(_ body: @escaping @MainActor () async -> Void) {
        let before = last
        // Ends with its body.
        last = Task { @MainActor in
            await before?.value
            await body()
        }
    }

    func settled() async { await last?.value }
}
