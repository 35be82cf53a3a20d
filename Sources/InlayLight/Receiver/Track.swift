/// One path from samples to blocks: a slicer, its symbols, and the search for blocks in them.
struct Track {
    private var slicer: PlateauSlicer
    private var ring: SymbolRing
    /// The number of samples until the sums are complete.
    private var warmUp: UInt8 = 64
    private var history: UInt16 = 0
    /// The number of symbols until the end of the body whose sync was seen; 0 for none.
    private var left: UInt8 = 0
    /// The number of symbols since the last sync ended, at most 255.
    private var sinceSync: UInt8 = 255
    /// The end of the last valid body.
    private var goodEnd: UInt8 = 0
    private var repair = Repair()
    private let guessesEven: Bool

    init(length: UInt8, lag: UInt8, guessesEven: Bool, memory: UnsafeMutablePointer<UInt8>) {
        self.guessesEven = guessesEven
        slicer = PlateauSlicer(length: length, lag: lag)
        ring = SymbolRing(memory: memory)
    }

    /// Processes a sample. Returns whether `body` now has a valid body. A body from a guess counts only if its header
    /// is the known one, or none is known.
    @inline(never)
    mutating func take(
        _ sample: UInt16, _ samples: UnsafeMutablePointer<UInt16>, _ place: UInt8,
        _ body: UnsafeMutablePointer<UInt8>, known: UInt16
    ) -> Bool {
        slicer.add(sample, samples, place)
        if warmUp != 0 {
            warmUp &-= 1
            slicer.start()
            return false
        }
        let (step, long) = slicer.measure()
        if step != 0 {
            if self.step(step, long: long, body: body) { return true }
        }
        // The two filters guess alternately, so that each sample costs at most one guess.
        return (place & 1 == 0) == guessesEven && guess(body, known)
    }

    /// Processes a step of the level. Returns whether `body` now has a valid body.
    private mutating func step(_ step: UInt8, long: Bool, body: UnsafeMutablePointer<UInt8>) -> Bool {
        let bit = step & 1
        ring.append(bit: bit, long: long)
        history = history << 1 | UInt16(bit)
        if sinceSync < 255 { sinceSync &+= 1 }
        if left != 0 {
            left &-= 1
            if left == 0, read(ring.head, body) { return true }
        }
        if history & 0xFFF == LightLink.sync { handleSync() }
        // New symbols will soon overwrite the oldest ones of the body that is being repaired.
        if repair.isActive, ring.head &- repair.end > 108 { repair.stop() }
        return false
    }

    private mutating func handleSync() {
        let end = ring.head &- UInt8(LightLink.syncSymbols)
        // From two symbols too many to four too few, modulo 256; any other distance means that one of the syncs was
        // false.
        let missing = UInt8(LightLink.blockSymbols) &- sinceSync
        if end != goodEnd {
            repair.start(end: end, gain: missing &+ 2 <= 6 ? missing : Repair.anyGain)
        }
        left = UInt8(LightLink.bodySymbols)
        sinceSync = 0
    }

    private mutating func read(_ end: UInt8, _ body: UnsafeMutablePointer<UInt8>) -> Bool {
        let reader = BlockReader(ring: ring, body: body)
        guard reader.read(end: end, Edit.none, at: 0, Edit.none, at: 0) else { return false }
        goodEnd = end
        return true
    }

    /// Tests one guess about the errors of a body. Returns whether `body` now has a valid body.
    private mutating func guess(_ body: UnsafeMutablePointer<UInt8>, _ known: UInt16) -> Bool {
        guard repair.isActive, repair.next(ring) else { return false }
        let reader = BlockReader(ring: ring, body: body)
        guard
            reader.read(
                end: repair.end, repair.first, at: repair.place, repair.second, at: repair.other),
            // One wrong guess in 16 million passes a block's check. With another header it would make the receiver
            // discard its blocks; if another payload really follows, one of its blocks soon arrives without errors.
            known == Fountain.unknown || UInt16(body[0]) == known
        else { return false }
        goodEnd = repair.end
        repair.stop()
        return true
    }
}
