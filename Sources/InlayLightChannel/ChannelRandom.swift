import Foundation

/// A generator of random numbers that returns the same sequence for the same seed.
public struct ChannelRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64
    private var spare: Double?

    public init(seed: UInt64) { state = seed }

    /// Returns the next number of SplitMix64.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Returns a number of the range 0 ..< 1.
    public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a normally distributed number with mean 0 and standard deviation 1.
    public mutating func normal() -> Double {
        if let number = spare {
            spare = nil
            return number
        }
        let radius = (-2 * log(1 - unit())).squareRoot()
        let angle = 2 * Double.pi * unit()
        spare = radius * sin(angle)
        return radius * cos(angle)
    }
}
