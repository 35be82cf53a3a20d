@_spi(Inlay) public import InlayLight

/// A screen's effect on a list of levels: some frames stay too long, and some are never shown.
public struct ScreenModel: Sendable {
    /// The frames per second.
    public var framesPerSecond = 60.0
    /// The symbol rates; by default 60 symbols per second throughout.
    @_spi(Inlay) public var rates = LightRateSchedule(steps: [.init(symbolsPerSecond: 60, seconds: 1)])
    /// The probability that a frame is shown once more, because the page was late with the next one.
    public var hold = 0.0
    /// The probability that a frame is rendered but not shown: the previous one stays for its time.
    public var skip = 0.0
    /// The probability that a frame is dropped, and the next one is shown in its time.
    public var vanish = 0.0

    public init() {}

    /// Plays levels: calls `show` with the light of each frame, 0 … 1. Stops when `show` returns `false` or the levels
    /// end.
    public func play(_ levels: [UInt8], _ random: inout ChannelRandom, show: (Double) -> Bool) {
        var symbolIndex = 0
        var framesOfSymbol = 0
        var frames = 0
        var light = 0.0
        // The schedule counts frames that were shown, and not time: a held frame delays all that follow.
        func advance() -> Bool {
            let symbol = rates.framesPerSymbol(
                atSecond: Double(frames) / framesPerSecond, framesPerSecond: framesPerSecond)
            framesOfSymbol += 1
            if framesOfSymbol >= symbol {
                framesOfSymbol = 0
                symbolIndex += 1
            }
            return symbolIndex < levels.count
        }
        while symbolIndex < levels.count {
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
            light = Self.light(of: levels[symbolIndex])
            if !show(light) || !advance() { return }
        }
    }

    /// Returns the light of a level, as a fraction of white's.
    public static func light(of level: UInt8) -> Double { level == 0 ? 0 : level == 1 ? 0.503 : 1 }
}
