/// The search for the errors of one body, one guess at a time, so that each sample takes a bounded time.
///
/// A body is read backwards from the sync after it, whose position is known even when symbols of the body, or the sync
/// before it, were lost. The guesses are: no edit; one edit at each position; two edits after symbols that were shown
/// for long, as happens when a frame is lost.
struct Repair {
    /// The value of `gain` when the number of missing symbols is unknown.
    static let anyGain: UInt8 = 127

    /// The end of the body.
    private(set) var end: UInt8 = 0
    private var phase = Phase.idle
    /// The number of missing symbols, modulo 256.
    private var gain: UInt8 = 0
    private(set) var first = Edit.none
    private(set) var place: UInt8 = 0
    private(set) var second = Edit.none
    private(set) var other: UInt8 = 255

    private enum Phase: UInt8 { case idle, asItIs, oneEdit, twoEdits }

    var isActive: Bool { phase != .idle }

    mutating func start(end: UInt8, gain: UInt8) {
        self.end = end
        self.gain = gain
        phase = .asItIs
        first = Edit.none
        second = Edit.none
        place = 0
        other = 255
    }

    mutating func stop() { phase = .idle }

    /// Advances to the next guess; returns `false` when there is none.
    @inline(never)
    mutating func next(_ ring: SymbolRing) -> Bool {
        while phase != .idle {
            if phase == .asItIs {
                phase = .oneEdit
                if gain == 0 || gain == Self.anyGain { return true }
            }
            if phase == .oneEdit ? nextSingle() : nextPair(ring) { return true }
        }
        return false
    }

    /// Advances to the next single edit: all positions with one kind, then with the next kind. Returns whether the edit
    /// adds as many symbols as are missing.
    private mutating func nextSingle() -> Bool {
        place &+= 1
        if first == Edit.none || place >= UInt8(LightLink.bodySymbols) {
            first &+= 1
            place = 0
        }
        if first > Edit.merge {
            // When the number of missing symbols is unknown, there are too many pairs to test.
            phase = gain == Self.anyGain ? .idle : .twoEdits
            first = Edit.split
            second = Edit.split
            other = 0
            return false
        }
        return gain == Self.anyGain || gain == Edit.gain(first)
    }

    /// Advances to the next pair of positions after long symbols, for each pair of kinds. Returns whether the guess can
    /// be tested.
    private mutating func nextPair(_ ring: SymbolRing) -> Bool {
        other &+= 1
        if other >= UInt8(LightLink.bodySymbols) {
            place &+= 1
            other = place &+ 1
        }
        guard other < UInt8(LightLink.bodySymbols), gain == Edit.gain(first) &+ Edit.gain(second) else {
            nextKinds()
            return false
        }
        let start = end &- UInt8(LightLink.bodySymbols) &+ gain
        if ring.isLong(start &+ place) { return ring.isLong(start &+ other) }
        other = UInt8(LightLink.bodySymbols)
        return false
    }

    private mutating func nextKinds() {
        place = 0
        other = 0
        second &+= 1
        if second > Edit.insertDown {
            second = Edit.split
            first &+= 1
        }
        if first > Edit.insertDown { phase = .idle }
    }
}
