@_spi(Inlay) import InlayLight
import InlayLightChannel

/// Random light without a signal, from which a receiver must not receive a block.
struct RandomLight {
    let name: String
    /// The maximum number of changes per second.
    let changesPerSecond: Int
    /// Advances the level and returns its light.
    let next: @Sendable (_ level: inout UInt8, _ random: inout ChannelRandom) -> Double

    static let all = [
        RandomLight(name: "three levels, 60 a second", changesPerSecond: 60, next: threeLevels),
        RandomLight(name: "three levels, 20 a second", changesPerSecond: 20, next: threeLevels),
        // This light is the most similar to the link's signal: a receiver syncs to it by chance once a minute.
        RandomLight(name: "another level 60 times a second", changesPerSecond: 60) { level, random in
            level = (level + UInt8.random(in: 1...2, using: &random)) % 3
            return ScreenModel.light(of: level)
        },
        RandomLight(name: "any brightness, 60 a second", changesPerSecond: 60) { _, random in random.unit() },
    ]

    private static func threeLevels(_ level: inout UInt8, _ random: inout ChannelRandom) -> Double {
        ScreenModel.light(of: UInt8.random(in: 0...2, using: &random))
    }

    /// Shows the light for an hour at a thousand samples a second and returns the number of received blocks.
    func blocks(inHour hour: Int) -> Int {
        var random = ChannelRandom(seed: UInt64(2 * hour))
        var sensor = Sensor(SensorModel(), random: ChannelRandom(seed: UInt64(2 * hour + 1)))
        var receiver = LightReceiver()
        var level: UInt8 = 0
        var blocks = 0
        for _ in 0..<(3_600 * changesPerSecond) {
            let light = next(&level, &random)
            _ = sensor.show(light, seconds: 1 / Double(changesPerSecond)) { sample in
                if receiver.take(sample) != .nothing { blocks += 1 }
                return true
            }
            if receiver.isComplete { receiver.reset() }
        }
        return blocks
    }
}
