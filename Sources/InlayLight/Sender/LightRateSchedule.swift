/// The symbol rates: fast at first, then slower, for panels and lamps that cannot follow the fast rate. A receiver
/// needs no notice of a change, and keeps the blocks that it has.
@_spi(Inlay) public struct LightRateSchedule: Equatable, Sendable {
    /// One step: so many symbols a second, for so many seconds.
    public struct Step: Equatable, Sendable {
        /// Symbols a second; a screen shows each for a whole number of its frames.
        public let symbolsPerSecond: Int
        /// Seconds until the next step.
        public let seconds: Int

        public init(symbolsPerSecond: Int, seconds: Int) {
            self.symbolsPerSecond = symbolsPerSecond
            self.seconds = seconds
        }
    }

    /// The steps in order; the last one goes on until the caller stops.
    public let steps: [Step]

    public init(steps: [Step]) { self.steps = steps }

    /// 60 symbols a second for 15 s, 30 for 35 s, then 20: 90 s in all.
    public static let standard = LightRateSchedule(steps: [
        Step(symbolsPerSecond: 60, seconds: 15),
        Step(symbolsPerSecond: 30, seconds: 35),
        Step(symbolsPerSecond: 20, seconds: 40),
    ])

    /// Frames that one symbol stays at a moment of the transfer, on a screen that shows `framesPerSecond`: as
    /// many as come nearest to the step's rate, at least one.
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
