@_spi(Inlay) import InlayLight
@_spi(Inlay) import InlayLightChannel
import Testing

/// A small part of the runs of `make bench`, whose goals apply to a thousand runs.
@Suite struct `The light link in a simulated room` {
    struct Room: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let seconds: Double
        let change: @Sendable (inout ChannelRun) -> Void
    }

    static let rooms = [
        Room(testDescription: "held frames, a slow panel, some noise", seconds: 15) {
            $0.screen.hold = 0.1
            $0.screen.skip = 0.001
            $0.sensor.panelMillis = 5
            $0.sensor.noiseDecibels = 30
        },
        Room(testDescription: "30 % held frames", seconds: 60) { $0.screen.hold = 0.3 },
        Room(testDescription: "0.5 % skipped frames", seconds: 30) { $0.screen.skip = 0.005 },
        Room(testDescription: "lamps at the slow rate", seconds: 30) {
            $0.screen.rates = LightRateSchedule(steps: [.init(symbolsPerSecond: 30, seconds: 1)])
            $0.sensor.ripple = 0.2
        },
        Room(testDescription: "a very slow panel at the slow rate", seconds: 30) {
            $0.screen.rates = LightRateSchedule(steps: [.init(symbolsPerSecond: 30, seconds: 1)])
            $0.sensor.panelMillis = 12
        },
        Room(testDescription: "light that drifts by 30 %", seconds: 15) { $0.sensor.drift = 0.3 },
        Room(testDescription: "everything bad at once, with all rates", seconds: 60) {
            $0.screen.rates = .standard
            $0.screen.hold = 0.2
            $0.screen.skip = 0.01
            $0.sensor.panelMillis = 8
            $0.sensor.noiseDecibels = 26
            $0.sensor.ripple = 0.05
        },
    ]

    @Test(arguments: rooms) func `a payload of 48 bytes is received in time`(_ room: Room) throws {
        let payload = LightPayload(ssid: "Harbor", password: "ferry-4711-safe", token: Array(0..<16))
        let encoder = try LightEncoder(payload)
        #expect(encoder.bytes.count == 48)
        let levels = encoder.levels()
        var run = ChannelRun()
        room.change(&run)
        for seed in UInt64(1)...3 {
            let result = run(encoder, levels: levels, seed: seed)
            #expect(!result.isWrong)
            #expect(try #require(result.seconds, "seed \(seed)") <= room.seconds, "seed \(seed)")
        }
    }

    @Test func `a seed gives the same run again, another seed another run`() throws {
        let encoder = try LightEncoder(LightPayload.harbor)
        let levels = encoder.levels()
        var run = ChannelRun()
        run.screen.hold = 0.1
        let times = [1, 1, 2].map { run(encoder, levels: levels, seed: $0).seconds }
        #expect(times[0] == times[1])
        #expect(times[0] != times[2])
    }

    /// Returns the sensor's readings of a screen that shows these levels.
    private func readings(_ levels: [UInt8], _ change: (inout ChannelRun) -> Void = { _ in }) -> [Int] {
        var run = ChannelRun()
        run.sensor.noiseDecibels = 60
        change(&run)
        var random = ChannelRandom(seed: 5)
        var sensor = Sensor(run.sensor, random: ChannelRandom(seed: 6))
        var readings: [Int] = []
        run.screen.play(levels, &random) { light in
            sensor.show(light, seconds: 1 / run.screen.framesPerSecond) { sample in
                readings.append(Int(sample))
                return true
            }
        }
        return readings
    }

    /// Returns the difference between the highest and the lowest reading. The first 100 readings are left out, because
    /// the panel is still reaching its brightness.
    private func swing(_ readings: [Int]) -> Int {
        let settled = readings.dropFirst(100)
        return (settled.max() ?? 0) - (settled.min() ?? 0)
    }

    // If a disturbance had no effect, the transmission tests above would prove nothing about it.
    @Test func `each simulated disturbance changes the readings as its name says`() {
        let alternating = (0..<120).map { UInt8($0 % 3) }, constant = [UInt8](repeating: 2, count: 60)
        let usual = readings(alternating), calm = readings(constant)
        #expect(readings(alternating) { $0.screen.hold = 0.3 }.count > usual.count * 11 / 10)
        let skipped = readings(alternating) { $0.screen.skip = 0.3 }
        #expect(skipped.count == usual.count && skipped != usual)
        #expect(readings(alternating) { $0.screen.vanish = 0.3 }.count < usual.count * 9 / 10)
        #expect(swing(readings(alternating) { $0.sensor.panelMillis = 40 }) < swing(usual) * 9 / 10)
        #expect((readings(constant) { $0.sensor.ambient = 0.3 }.last ?? 0) > (calm.last ?? 0) + 60)
        #expect(swing(readings(constant) { $0.sensor.drift = 0.3 }) > swing(calm) + 60)
        #expect(swing(readings(constant) { $0.sensor.ripple = 0.2 }) > swing(calm) + 60)
        #expect(swing(readings(constant) { $0.sensor.noiseDecibels = 20 }) > swing(calm) + 60)
        #expect((calm.max() ?? 0) > 255)
        #expect((readings(constant) { $0.sensor.bits = 8 }.max() ?? .max) <= 255)
    }

    @Test func `ten minutes of random light give no block`() {
        var random = ChannelRandom(seed: 7)
        var sensor = Sensor(SensorModel(), random: ChannelRandom(seed: 8))
        var receiver = LightReceiver()
        var blocks = 0
        for _ in 0..<(10 * 60 * 60) {
            let light = ScreenModel.light(of: UInt8.random(in: 0...2, using: &random))
            _ = sensor.show(light, seconds: 1 / 60.0) { sample in
                if receiver.take(sample) != .nothing { blocks += 1 }
                return true
            }
        }
        #expect(blocks == 0)
    }

    @Test func `random readings never complete a payload or crash the receiver`() {
        var random = ChannelRandom(seed: 9)
        for _ in 0..<20 {
            var receiver = LightReceiver(samplesPerMillisecond: UInt8.random(in: 0...255, using: &random))
            for _ in 0..<5_000 {
                let extreme = UInt8.random(in: 0...3, using: &random)
                let sample: UInt16 =
                    extreme == 0 ? 0 : extreme == 1 ? .max : UInt16.random(in: 0...(.max), using: &random)
                for _ in 0..<UInt8.random(in: 1...20, using: &random) { _ = receiver.take(sample) }
            }
            #expect(receiver.isComplete == false)
        }
    }
}
