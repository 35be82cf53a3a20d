@_spi(Inlay) import InlayLight
@_spi(Inlay) import InlayLightChannel

/// A simulated channel with a name and its goals.
struct Case {
    let name: String
    let bytes: Int
    let run: ChannelRun
    /// The percentages of transfers that must be complete within a number of seconds.
    let goals: [(seconds: Double, percent: Double)]
    /// The goal for the median time, if any.
    let median: Double?

    init(
        _ name: String, bytes: Int = 48, median: Double? = nil, _ goals: [(Double, Double)],
        _ change: (inout ChannelRun) -> Void
    ) {
        var run = ChannelRun()
        change(&run)
        self.name = name
        self.bytes = bytes
        self.run = run
        self.goals = goals
        self.median = median
    }

    /// Returns a payload of `bytes` bytes, always the same.
    func payload() -> LightPayload {
        payload(token: Array(0..<16)) { String(repeating: "p", count: $0) }
    }

    /// Returns a payload of `bytes` bytes, another one for each seed.
    func payload(seed: UInt64) -> LightPayload {
        // The complement of the run's seed, so that payload and channel get different random numbers.
        var random = ChannelRandom(seed: ~seed)
        let token = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        return payload(token: token) { count in
            String(
                decoding: (0..<count).map { _ in UInt8.random(in: 33...126, using: &random) }, as: UTF8.self)
        }
    }

    private func payload(token: [UInt8], text: (Int) -> String) -> LightPayload {
        // The version, network name, token, check and lengths take 33 bytes. The password fills the rest, together with
        // the host when the rest is longer than a password.
        let password = bytes - 33
        return LightPayload(
            ssid: "Harbor", password: text(min(password, 62)), token: token, host: text(max(0, password - 64))
        )
    }

    private static func only(_ rate: Int) -> LightRateSchedule {
        LightRateSchedule(steps: [.init(symbolsPerSecond: rate, seconds: 1)])
    }

    /// The cases of the project's goals, and a harder case without a goal.
    static let all: [Case] = [
        Case("hold 10 %, skip 0.1 %, tau 5 ms, 30 dB", median: 11.5, [(15, 96), (30, 99.9)]) {
            $0.screen.hold = 0.1
            $0.screen.skip = 0.001
            $0.sensor.panelMillis = 5
            $0.sensor.noiseDecibels = 30
        },
        Case("typical: hold 2 %, skip 0.1 %, 34 dB", [(15, 98)]) {
            $0.screen.hold = 0.02
            $0.screen.skip = 0.001
        },
        Case("the same, 96 bytes", bytes: 96, [(30, 99)]) {
            $0.screen.hold = 0.02
            $0.screen.skip = 0.001
        },
        Case("hold 30 %", [(60, 99.9)]) { $0.screen.hold = 0.3 },
        Case("hold 50 %", median: 20.6, [(60, 99)]) { $0.screen.hold = 0.5 },
        Case("hold 1 %", [(15, 99.9)]) { $0.screen.hold = 0.01 },
        Case("skip 0.5 %, hold 5 %", [(30, 99)]) {
            $0.screen.hold = 0.05
            $0.screen.skip = 0.005
        },
        Case("skip 1 %, hold 2 %", [(30, 85), (60, 99.9)]) {
            $0.screen.hold = 0.02
            $0.screen.skip = 0.01
        },
        Case("skip 1 % without a trace, hold 2 %", [(30, 85), (60, 99.9)]) {
            $0.screen.hold = 0.02
            $0.screen.vanish = 0.01
        },
        Case("30/s: skip 2 %, hold 5 %", [(30, 99)]) {
            $0.screen.rates = only(30)
            $0.screen.hold = 0.05
            $0.screen.skip = 0.02
        },
        Case("all rates: skip 5 %, hold 5 %", [(60, 99)]) {
            $0.screen.rates = .standard
            $0.screen.hold = 0.05
            $0.screen.skip = 0.05
        },
        Case("30/s: 20 dB", [(30, 99)]) {
            $0.screen.rates = only(30)
            $0.sensor.noiseDecibels = 20
        },
        Case("30/s: lamps 20 %", [(30, 99)]) {
            $0.screen.rates = only(30)
            $0.sensor.ripple = 0.2
        },
        Case("30/s: tau 12 ms", [(30, 99)]) {
            $0.screen.rates = only(30)
            $0.sensor.panelMillis = 12
        },
        Case("web view: hold 10 %, skip 0.5 %, all rates", [(30, 99)]) {
            $0.screen.rates = .standard
            $0.screen.hold = 0.1
            $0.screen.skip = 0.005
        },
        Case("bad: hold 20 %, skip 1 %, tau 8, 26 dB, lamps 5 %", [(60, 95)]) {
            $0.screen.rates = .standard
            $0.screen.hold = 0.2
            $0.screen.skip = 0.01
            $0.sensor.panelMillis = 8
            $0.sensor.noiseDecibels = 26
            $0.sensor.ripple = 0.05
        },
        // The requirements name a stretch goal, G4, without its values; these are our choice.
        Case("very bad: hold 30 %, skip 2 %, tau 12, 22 dB, lamps 10 %", []) {
            $0.screen.rates = .standard
            $0.screen.hold = 0.3
            $0.screen.skip = 0.02
            $0.sensor.panelMillis = 12
            $0.sensor.noiseDecibels = 22
            $0.sensor.ripple = 0.1
        },
        Case("ambient drift 30 % of the swing at 0.4 Hz", [(15, 96)]) { $0.sensor.drift = 0.3 },
        Case("120 frames/s, 2 frames a symbol, 2 kHz", [(15, 99)]) {
            $0.screen.framesPerSecond = 120
            $0.screen.hold = 0.02
            $0.sensor.samplesPerSecond = 2_000
        },
        Case("120 symbols/s on a quick panel, 2 kHz", [(7, 98)]) {
            $0.screen.framesPerSecond = 120
            $0.screen.rates = only(120)
            $0.screen.hold = 0.02
            $0.sensor.samplesPerSecond = 2_000
            $0.sensor.panelMillis = 0.5
            $0.sensor.filterMillis = 0.5
        },
    ]
}
