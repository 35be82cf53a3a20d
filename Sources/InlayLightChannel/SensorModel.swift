/// What lies between a patch and a number: the panel's slowness, the light around, lamps, noise, and a
/// converter that is not quite in time.
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
