import Foundation

/// A simulated sensor that turns light into samples.
public struct Sensor: Sendable {
    private let model: SensorModel
    private var random: ChannelRandom
    /// The time in seconds, in steps of a quarter of a millisecond.
    private var time = 0.0
    private var nextSample: Double
    private var panel = 0.0
    private var filtered = 0.0
    private let panelFraction: Double
    private let filterFraction: Double
    private let noise: Double
    private let phase: Double
    /// Whether the light around the square is constant.
    private let isSteady: Bool
    private static let step = 0.000_25

    public init(_ model: SensorModel, random: ChannelRandom) {
        self.model = model
        self.random = random
        func fraction(_ millis: Double) -> Double { millis <= 0 ? 1 : 1 - exp(-Self.step * 1_000 / millis) }
        panelFraction = fraction(model.panelMillis)
        filterFraction = fraction(model.filterMillis)
        noise = pow(10, -model.noiseDecibels / 20)
        phase = self.random.unit()
        isSteady = model.dimmed <= 0 && model.drift == 0 && model.ripple == 0
        nextSample = self.random.unit() / model.samplesPerSecond
        filtered = model.ambient
    }

    /// Shows `light` (0 … 1) on the square for `seconds`, and calls `take` with each sample until it returns false.
    public mutating func show(_ light: Double, seconds: Double, take: (UInt16) -> Bool) -> Bool {
        let end = time + seconds
        while advance(light, until: end) {
            nextSample += (1 + model.jitter * random.normal()) / model.samplesPerSecond
            if !take(convert(filtered + noise * random.normal())) { return false }
        }
        return true
    }

    /// Advances the time until a sample is due, or to `end`. Returns whether one is due.
    private mutating func advance(_ light: Double, until end: Double) -> Bool {
        // In local variables, for speed: this loop runs four times per sample, millions of times per second.
        var (time, panel, filtered) = (time, panel, filtered)
        defer { (self.time, self.panel, self.filtered) = (time, panel, filtered) }
        while time < end {
            time += Self.step
            panel += (light - panel) * panelFraction
            let seen = isSteady ? panel + model.ambient : surroundingLight(panel, at: time)
            filtered += (seen - filtered) * filterFraction
            if time >= nextSample { return true }
        }
        return false
    }

    private func surroundingLight(_ panel: Double, at time: Double) -> Double {
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

/// The settings of the path from the square to a sample: the panel's response time, ambient light, lamps, noise, and a
/// converter with an inexact clock.
public struct SensorModel: Sendable {
    /// The samples per second.
    public var samplesPerSecond = 1_000.0
    /// The time constants of the panel and of the photodiode's filter, in milliseconds.
    public var panelMillis = 3.0
    public var filterMillis = 1.0
    /// The noise of each sample, in decibels below the swing from dark to bright.
    public var noiseDecibels = 34.0
    /// The ambient light and its slow changes, as fractions of the swing.
    public var ambient = 0.1
    public var drift = 0.0
    public var driftHertz = 0.4
    /// The ripple of lamps from peak to peak, as a fraction of the swing.
    public var ripple = 0.0
    public var rippleHertz = 100.0
    /// The fraction of each period for which a dimmed backlight is dark.
    public var dimmed = 0.0
    public var dimmedHertz = 240.0
    /// The standard deviation of the time between samples, as a fraction of it.
    public var jitter = 0.02
    /// The converter's bits, and the fraction of its range that the swing takes.
    public var bits = 10
    public var swing = 0.6

    public init() {}
}
