import InlayCore

/// Tells of a download's progress when it came on by a whole percent, never backwards.
final class HubProgress: Sendable {
    private let told = Locked<Double>(-1)
    private let tell: @Sendable (Double) -> Void

    init(_ tell: @escaping @Sendable (Double) -> Void) { self.tell = tell }

    func reached(_ percent: Double) {
        let step = min(100, max(0, percent)).rounded(.down)
        let isNotable = told.withLock { told in
            guard step > told else { return false }
            told = step
            return true
        }
        if isNotable { tell(step) }
    }
}
