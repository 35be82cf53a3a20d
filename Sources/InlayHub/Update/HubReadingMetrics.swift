import InlayCore

/// The progress of a download, by the signed lengths of its files: right also where the bytes on the way are
/// compressed. Reports whole percents only, and never goes back.
final class HubReadingMetrics: Sendable {
    private struct State {
        var total: Int?
        /// The bytes of files that are there as a whole.
        var done = 0
        /// The bytes of the file on its way.
        var coming = 0
        var reported = -1.0
    }

    private let state = Locked(State())
    private let publish: @Sendable (Double) -> Void

    init(_ publish: @escaping @Sendable (Double) -> Void) { self.publish = publish }

    /// Begins a download of `total` bytes; the progress of an empty one is not reported.
    func begin(total: Int) {
        state.withLock { $0 = State(total: total > 0 ? total : nil) }
        step()
    }

    /// Bytes of a file came; those of a try that fails count no more once its file is there.
    func received(_ bytes: Int) {
        state.withLock { $0.coming += bytes }
        step()
    }

    /// A whole file came.
    func completed(_ bytes: Int) {
        state.withLock { state in
            state.done += bytes
            state.coming = 0
        }
        step()
    }

    /// Everything came.
    func finish() {
        state.withLock { $0.done = $0.total ?? 0 }
        step()
        state.withLock { $0 = State() }
    }

    private func step() {
        let percent: Double? = state.withLock { state in
            guard let total = state.total else { return nil }
            let bytes = min(total, state.done + state.coming)
            let percent = (100 * Double(bytes) / Double(total)).rounded(.down)
            guard percent > state.reported else { return nil }
            state.reported = percent
            return percent
        }
        if let percent { publish(percent) }
    }
}
