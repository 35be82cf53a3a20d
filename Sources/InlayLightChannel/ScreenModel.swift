@_spi(Inlay) public import InlayLight

/// A screen's effect on a list of levels: frames that stay too long, frames that are never shown.
public struct ScreenModel: Sendable {
    /// Frames a second.
    public var framesPerSecond = 60.0
    /// The symbol rates; `LightRateSchedule.standard` unless only one rate is wanted.
    @_spi(Inlay) public var rates = LightRateSchedule(steps: [.init(symbolsPerSecond: 60, seconds: 1)])
    /// The probability that a frame stays for one more: the page was late with the next one.
    public var hold = 0.0
    /// The probability that a frame is made but not shown: the one before it stays in its place.
    public var skip = 0.0
    /// The probability that a frame is made and neither shown nor replaced: the next one takes its place.
    public var vanish = 0.0

    public init() {}

    /// Plays levels. Calls `show` with what each frame shows, in light of 0 … 1; stops when that returns `false`
    /// or the levels end.
    public func play(_ levels: [UInt8], _ random: inout ChannelRandom, show: (Double) -> Bool) {
        var place = 0
        var made = 0
        var frames = 0
        var light = 0.0
        // Frames go by what was presented, never by the clock: a held frame delays all that follow.
        func advance() -> Bool {
            let symbol = rates.framesPerSymbol(
                atSecond: Double(frames) / framesPerSecond, framesPerSecond: framesPerSecond)
            made += 1
            if made >= symbol {
                made = 0
                place += 1
            }
            return place < levels.count
        }
        while place < levels.count {
            frames += 1
            let fate = random.unit()
            if fate < hold {
                if !show(light) { return }
                continue
            }
            if fate < hold + skip {
                if !show(light) || !advance() { return }
                continue
            }
            if fate < hold + skip + vanish, !advance() { return }
            light = Self.light(of: levels[place])
            if !show(light) || !advance() { return }
        }
    }

    /// The light of a level, as part of white's.
    public static func light(of level: UInt8) -> Double { level == 0 ? 0 : level == 1 ? 0.503 : 1 }
}
