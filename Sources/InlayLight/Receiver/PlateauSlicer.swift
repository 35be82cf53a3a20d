/// A moving sum of samples, and a slicer that turns it into levels.
///
/// A level is read where the sum changed least between two changes: at the end of a symbol, when even a slow panel is
/// nearest to its level. There is no absolute threshold for this, so half of the light during a change from dark to
/// bright is no symbol, and a panel that never quite reaches a level still gives one.
///
/// Both ends of the range adapt: each level that was read pulls both of them together, and the nearest one once more,
/// so that a lamp or a hand near the device moves both. They also drift towards each other slowly, so that a range that
/// was too wide becomes narrower again.
struct PlateauSlicer {
    /// The number of fraction bits of the range's ends. Sums of 20 samples of 16 bits with these bits stay below 2²⁷,
    /// so the unchecked arithmetic here cannot overflow.
    private static let fraction: Int32 = 6

    /// The number of samples in the sum, and the distance in samples to the earlier sum that it is compared with.
    private let length: UInt8
    private let lag: UInt8
    private var sum: Int32 = 0
    private var earlier: Int32 = 0
    private var low: Int32 = 0
    private var high: Int32 = 0
    /// Whether the sum moves from one level to another. Then `extreme` is the steepest slope so far; otherwise it is
    /// the flattest, and `settled` the sum there.
    private var isMoving = false
    private var extreme: Int32 = 0
    private var settled: Int32 = 0
    /// The previous value of `settled`.
    private var previousSettled: Int32 = 0
    /// The part of a change that a slow panel has not made when the symbol ends, in sixty-fourths of the change so far.
    private var inertia: Int32 = 0
    /// The last level that was read; 3 before the first.
    private var level: UInt8 = 3
    /// Whether the last level was shown for long.
    private var wasPreviousLong = false
    /// The number of samples since the last level was read.
    private var dwell: UInt16 = 0
    /// The usual duration of a symbol, in sixteenths of a sample; long at first, because it adapts quickly to shorter
    /// ones.
    private var usualDuration: UInt16 = 1_000

    init(length: UInt8, lag: UInt8) {
        self.length = length
        self.lag = lag
    }

    /// Updates the sums with a sample, which the caller stores at `place` of the 64 kept samples.
    mutating func add(_ newest: UInt16, _ samples: UnsafeMutablePointer<UInt16>, _ place: UInt8) {
        sum &+= Int32(newest) &- Int32(samples[Int((place &- length) & 63)])
        let delayed = place &- lag
        earlier &+= Int32(samples[Int(delayed & 63)]) &- Int32(samples[Int((delayed &- length) & 63)])
    }

    /// Sets both ends of the range to the current sum.
    mutating func start() {
        low = sum &<< Self.fraction
        high = low
    }

    /// Evaluates the sums. Returns the step to a new level (1 for one up, 2 for two) or 0, and whether the level before
    /// it was shown for long.
    mutating func measure() -> (step: UInt8, long: Bool) {
        let value = sum &<< Self.fraction
        if value > high { high &+= (value &- high) &>> 2 }
        if value < low { low &-= (low &- value) &>> 2 }
        let swing = high &- low
        high &-= swing &>> 12
        low &+= swing &>> 12
        if dwell < 4_000 { dwell &+= 1 }

        let slope = distance(sum, earlier) &<< Self.fraction
        if isMoving {
            if slope > extreme { extreme = slope }
            if slope &<< 1 < extreme {
                isMoving = false
                extreme = slope
                settled = value
            }
            return (0, false)
        }
        if slope <= extreme {
            extreme = slope
            settled = value
        }
        // Noise makes small waves on a plateau; they are smaller than a sixteenth of the range.
        guard slope > extreme &+ swing &>> 4 else { return (0, false) }
        isMoving = true
        extreme = slope
        return take(swing)
    }

    /// Reads the level at which the sum settled; does nothing when it is the same as before.
    private mutating func take(_ swing: Int32) -> (step: UInt8, long: Bool) {
        // The final level of the light: the settled level plus the lag of a slow panel.
        let way = settled &- previousSettled
        let light = settled &+ way &>> 6 &* inertia
        previousSettled = settled
        let place = (light &- low) &<< 2
        let seen: UInt8 = place < swing ? 0 : place > swing &+ swing &<< 1 ? 2 : 1
        follow(seen, light, way)
        guard seen != level else { return (0, false) }
        let step = level == 3 ? 0 : seen > level ? seen &- level : seen &+ 3 &- level
        level = seen
        // A level is read when it ends, so the time since the previous one is its duration.
        let long = wasPreviousLong
        wasPreviousLong = wasLong()
        return (step, long)
    }

    /// Adapts the range's ends to a level that was read: both together, and the end that was seen once more. Adapts the
    /// inertia: up a little when the light stayed behind the level, down a little when it went beyond.
    private mutating func follow(_ seen: UInt8, _ light: Int32, _ way: Int32) {
        let error = light &- low &- (high &- low) &>> 1 &* Int32(seen)
        let pull = error &>> 4
        low &+= seen == 0 ? pull &<< 1 : pull
        high &+= seen == 2 ? pull &<< 1 : pull
        let learned = inertia &+ (error ^ way < 0 ? 1 : -1)
        if UInt32(bitPattern: learned) <= 48 { inertia = learned }
    }

    private func distance(_ one: Int32, _ other: Int32) -> Int32 {
        one > other ? one &- other : other &- one
    }

    /// Returns whether the time since the last level is more than one and a half symbols, and starts the time again.
    private mutating func wasLong() -> Bool {
        let lasted = dwell &<< 4
        dwell = 0
        let long = lasted > usualDuration &+ usualDuration &>> 1
        // Adapts quickly to a short symbol, and slowly to longer ones.
        if lasted < usualDuration {
            usualDuration &-= (usualDuration &- lasted) &>> 3
        } else {
            usualDuration &+= (min(lasted, usualDuration &<< 1) &- usualDuration) &>> 5 &+ 1
        }
        return long
    }
}
