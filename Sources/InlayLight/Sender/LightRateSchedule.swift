/// A schedule of symbol rates: fast at first, then slower, for panels and lamps that cannot follow the fast rate. A
/// receiver needs no notice of a change and keeps the blocks that it has.
@_spi(Inlay) public struct LightRateSchedule: Equatable, Sendable {
    /// A number of symbols per second for a number of seconds.
    public struct Step: Equatable, Sendable {
        /// The symbols per second; a screen shows each symbol for a whole number of its frames.
        public let symbolsPerSecond: Int
        /// The seconds until the next step.
        public let seconds: Int

        public init(symbolsPerSecond: Int, seconds: Int) {
            self.symbolsPerSecond = symbolsPerSecond
            self.seconds = seconds
        }
    }

    /// The steps in order; the last one continues until the caller stops.
    public let steps: [Step]

    public init(steps: [Step]) { self.steps = steps }

    /// The schedule of 60 symbols per second for 15 s, then 30 for 35 s, then 20 for 40 s: 90 s in all.
    public static let standard = LightRateSchedule(steps: [
        Step(symbolsPerSecond: 60, seconds: 15),
        Step(symbolsPerSecond: 30, seconds: 35),
        Step(symbolsPerSecond: 20, seconds: 40),
    ])

    /// Returns the number of frames for which a screen with `framesPerSecond` shows a symbol at `second` of the
    /// transfer: the number whose rate is nearest to the step's, at least 1.
    public func framesPerSymbol(atSecond second: Double, framesPerSecond: Double) -> Int {
        var end = 0.0
        var rate = steps.last?.symbolsPerSecond ?? 20
        for step in steps {
            end += Double(step.seconds)
            guard second < end else { continue }
            rate = step.symbolsPerSecond
            break
        }
        return max(1, Int((framesPerSecond / Double(max(rate, 1))).rounded()))
    }
}
