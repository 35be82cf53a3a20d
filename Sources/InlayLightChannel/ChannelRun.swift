@_spi(Inlay) public import InlayLight

/// A simulated transfer from a screen to a receiver.
public struct ChannelRun: Sendable {
    /// The result of a run.
    public struct Result: Sendable {
        /// The seconds from the first symbol to the complete payload; `nil` when it was not received in time.
        public let seconds: Double?
        /// Whether a payload was received that differs from the one that was sent.
        public let isWrong: Bool
        /// The number of payloads that failed their check.
        public let refused: Int
    }

    public var screen: ScreenModel
    public var sensor: SensorModel

    public init(screen: ScreenModel = ScreenModel(), sensor: SensorModel = SensorModel()) {
        self.screen = screen
        self.sensor = sensor
    }

    /// Sends the encoder's payload until the receiver has it or the levels end. The receiver starts 0.1 to 0.3 s before
    /// the first symbol; the seed determines when.
    public func callAsFunction(_ encoder: LightEncoder, levels: [UInt8], seed: UInt64) -> Result {
        var random = ChannelRandom(seed: seed)
        var receiver = LightReceiver(samplesPerMillisecond: sensor.samplesPerSecond > 1_500 ? 2 : 1)
        var sensor = Sensor(sensor, random: ChannelRandom(seed: random.next()))
        var seconds = 0.0
        var refused = 0
        func listen(_ sample: UInt16) -> Bool {
            let outcome = receiver.take(sample)
            if outcome == .refused { refused += 1 }
            return outcome != .complete
        }
        _ = sensor.show(0, seconds: 0.1 + 0.2 * random.unit(), take: listen)
        let frame = 1 / screen.framesPerSecond
        screen.play(levels, &random) { light in
            seconds += frame
            return sensor.show(light, seconds: frame, take: listen)
        }
        guard receiver.isComplete else { return Result(seconds: nil, isWrong: false, refused: refused) }
        let wrong = receiver.fieldBytes != Array(encoder.bytes.dropFirst().dropLast(4))
        return Result(seconds: seconds, isWrong: wrong, refused: refused)
    }
}
