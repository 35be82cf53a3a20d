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

    /// The patch shows `light` (0 … 1) for so long. Calls `take` with each sample; stops when that is told to.
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
