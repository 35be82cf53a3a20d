/// One filter with a slicer behind it: sums of samples in, levels out.
///
/// A level is taken where the sum stood stillest between two changes: at the end of a symbol, when even a slow
/// panel has come as near to its level as it will. Nothing absolute is asked of that stillness, so passing half
/// light on the way from dark to bright is no symbol, and a panel that never quite arrives still gives one.
///
/// The two ends of the range follow what is seen: they are pulled towards each level that was taken, together
/// and one by one, so that a lamp or a hand near the device moves both; and they leak towards each other, so
/// that a range that was once too wide comes back.
struct PlateauSlicer {
    /// Fraction bits of the range's ends. Sums of 20 readings of 16 bits and these stay below 2²⁷, so that what
    /// is reckoned here without a check for overflow has none.
    private static let fraction: Int32 = 6

    /// Samples in the sum, and how far back the sum lies that it is compared with.
    private let length: UInt8
    private let lag: UInt8
    private var sum: Int32 = 0
    private var earlier: Int32 = 0
    private var low: Int32 = 0
    private var high: Int32 = 0
    /// On the way from one level to another: `extreme` is the steepest so far. Else it is the stillest, and
    /// `settled` the sum there.
    private var isMoving = false
    private var extreme: Int32 = 0
    private var settled: Int32 = 0
    /// The level at which the sum had settled before.
    private var reached: Int32 = 0
    /// The part of its change that a slow panel has still to make when a symbol ends, in sixty-fourths of the change
    /// so far.
    private var inertia: Int32 = 0
    /// The level taken last; 3 before the first.
    private var level: UInt8 = 3
    /// Whether it stayed long.
    private var before = false
    /// Samples since it was taken.
    private var dwell: UInt16 = 0
    /// The duration of a symbol, in sixteenths of a sample; long at first, because that is corrected quickly.
    private var usual: UInt16 = 1_000

    init(length: UInt8, lag: UInt8) {
        self.length = length
        self.lag = lag
    }

    /// Moves the sums on by one sample, which comes to `place` of the 64 that are kept.
    mutating func add(_ newest: UInt16, _ samples: UnsafeMutablePointer<UInt16>, _ place: UInt8) {
        sum &+= Int32(newest) &- Int32(samples[Int((place &- length) & 63)])
        let delayed = place &- lag
        earlier &+= Int32(samples[Int(delayed & 63)]) &- Int32(samples[Int((delayed &- length) & 63)])
    }

    /// Sets the range to what is seen now.
    mutating func start() {
        low = sum &<< Self.fraction
        high = low
    }

    /// Looks at the sums. Returns a new level's step (1 for one up, 2 for two) or 0, and whether the level before
    /// it stayed long.
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
        // Noise makes small waves on a plateau; a sixteenth of the range is more than they are.
        guard slope > extreme &+ swing &>> 4 else { return (0, false) }
        isMoving = true
        extreme = slope
        return take(swing)
    }

    /// Takes the level that the sum had settled to, unless it is the one before it.
    private mutating func take(_ swing: Int32) -> (step: UInt8, long: Bool) {
        // The final level of the light: the settled level plus the lag of a slow panel.
        let way = settled &- reached
        let light = settled &+ way &>> 6 &* inertia
        reached = settled
        let place = (light &- low) &<< 2
        let seen: UInt8 = place < swing ? 0 : place > swing &+ swing &<< 1 ? 2 : 1
        follow(seen, light, way)
        guard seen != level else { return (0, false) }
        let step = level == 3 ? 0 : seen > level ? seen &- level : seen &+ 3 &- level
        level = seen
        // A level is taken when it ends, so the time since the last one is its own.
        let long = before
        before = wasLong()
        return (step, long)
    }

    /// Pulls the range's ends towards a level that was taken: both together, and the end that was seen once more.
    /// Learns the inertia: a little more when the light stayed behind the level, a little less when it went beyond.
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

    /// Whether the time since the last level is more than one and a half symbols.
    private mutating func wasLong() -> Bool {
        let lasted = dwell &<< 4
        dwell = 0
        let long = lasted > usual &+ usual &>> 1
        // Quick to learn a short symbol, slow to believe that all have become long.
        if lasted < usual {
            usual &-= (usual &- lasted) &>> 3
        } else {
            usual &+= (min(lasted, usual &<< 1) &- usual) &>> 5 &+ 1
        }
        return long
    }
}
