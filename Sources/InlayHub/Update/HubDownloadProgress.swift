import InlayCore

/// The progress of a download, by the signed lengths of its files, so that compression on the way does not matter.
/// Reports whole percents only, and never decreases.
final class HubDownloadProgress: Sendable {
    private struct State {
        var total: Int?
        /// The bytes of complete files.
        var done = 0
        /// The bytes of the file that is being fetched.
        var partialBytes = 0
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

    /// Adds received bytes of a file; those of a failed attempt do not count any more when the file is complete.
    func received(_ bytes: Int) {
        state.withLock { $0.partialBytes += bytes }
        step()
    }

    /// Adds a complete file.
    func completed(_ bytes: Int) {
        state.withLock { state in
            state.done += bytes
            state.partialBytes = 0
        }
        step()
    }

    /// Reports the end of the download.
    func finish() {
        state.withLock { $0.done = $0.total ?? 0 }
        step()
        state.withLock { $0 = State() }
    }

    private func step() {
        let percent: Double? = state.withLock { state in
            guard let total = state.total else { return nil }
            let bytes = min(total, state.done + state.partialBytes)
            let percent = (100 * Double(bytes) / Double(total)).rounded(.down)
            guard percent > state.reported else { return nil }
            state.reported = percent
            return percent
        }
        if let percent { publish(percent) }
    }
}
