import Foundation

/// A sensor at work: light in, samples out.
public struct Sensor: Sendable {
    private let model: SensorModel
    private var random: ChannelRandom
    /// Seconds; goes on in quarters of a millisecond.
    private var time = 0.0
    private var nextSample: Double
    private var panel = 0.0
    private var filtered = 0.0
    private let panelPart: Double
    private let filterPart: Double
    private let noise: Double
    private let phase: Double
    /// Nothing around the patch changes with time.
    private let isSteady: Bool
    private static let step = 0.000_25

    public init(_ model: SensorModel, random: ChannelRandom) {
        self.model = model
        self.random = random
        func part(_ millis: Double) -> Double { millis <= 0 ? 1 : 1 - exp(-Self.step * 1_000 / millis) }
        panelPart = part(model.panelMillis)
        filterPart = part(model.filterMillis)
        noise = pow(10, -model.noiseDecibels / 20)
        phase = self.random.unit()
        isSteady = model.dimmed <= 0 && model.drift == 0 && model.ripple == 0
        nextSample = self.random.unit() / model.samplesPerSecond
        filtered = model.ambient
    }

    /// Shows `light` (0 … 1) on the patch for `seconds`, and calls `take` with each sample until it returns false.
    public mutating func show(_ light: Double, seconds: Double, take: (UInt16) -> Bool) -> Bool {
        let end = time + seconds
        while pass(light, until: end) {
            nextSample += (1 + model.jitter * random.normal()) / model.samplesPerSecond
            if !take(convert(filtered + noise * random.normal())) { return false }
        }
        return true
    }

    /// Lets time pass until a sample is due, or until `end`. Returns whether one is due.
    private mutating func pass(_ light: Double, until end: Double) -> Bool {
        // In variables of its own: this loop turns four times a sample, millions of times a second.
        var (time, panel, filtered) = (time, panel, filtered)
        defer { (self.time, self.panel, self.filtered) = (time, panel, filtered) }
        while time < end {
            time += Self.step
            panel += (light - panel) * panelPart
            let seen = isSteady ? panel + model.ambient : around(panel, at: time)
            filtered += (seen - filtered) * filterPart
            if time >= nextSample { return true }
        }
        return false
    }

    private func around(_ panel: Double, at time: Double) -> Double {
        var light = panel
        if model.dimmed > 0, (time * model.dimmedHertz).truncatingRemainder(dividingBy: 1) < model.dimmed {
            light = 0
        }
        light += model.ambient
        if model.drift != 0 { light += model.drift * sin(2 * .pi * (model.driftHertz * time + phase)) }
        if model.ripple != 0 {
            light += model.ripple / 2 * sin(2 * .pi * (model.rippleHertz * time + phase))
        }
        return light
    }

    private func convert(_ light: Double) -> UInt16 {
        let top = Double(1 << model.bits) - 1
        return UInt16(min(max((light * model.swing + 0.1) * Double(1 << model.bits), 0), top))
    }
}

/// The path from a patch of the screen to a number: the panel's slowness, ambient light, lamps, noise, and a converter
/// whose clock is not exact.
public struct SensorModel: Sendable {
    /// Samples a second.
    public var samplesPerSecond = 1_000.0
    /// The panel's time constant and the photodiode filter's, in milliseconds.
    public var panelMillis = 3.0
    public var filterMillis = 1.0
    /// Noise of each sample in decibels below the swing from dark to bright.
    public var noiseDecibels = 34.0
    /// Light around, and what it does, in parts of the swing.
    public var ambient = 0.1
    public var drift = 0.0
    public var driftHertz = 0.4
    /// Ripple of lamps, from peak to peak, in parts of the swing.
    public var ripple = 0.0
    public var rippleHertz = 100.0
    /// The dark part of each period of a dimmed backlight.
    public var dimmed = 0.0
    public var dimmedHertz = 240.0
    /// The deviation of the time between samples, in parts of it.
    public var jitter = 0.02
    /// The converter's bits, and the part of its range that the swing takes.
    public var bits = 10
    public var swing = 0.6

    public init() {}
}
