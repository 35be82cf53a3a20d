/// One way from samples to blocks: a slicer, its symbols, and the search in them.
struct Track {
    private var slicer: PlateauSlicer
    private var ring: SymbolRing
    /// Samples until the sums are full.
    private var warmUp: UInt8 = 64
    private var history: UInt16 = 0
    /// Symbols until the end of the body whose sync was seen; 0 for none.
    private var left: UInt8 = 0
    /// Symbols since the last sync ended, at most 255.
    private var sinceSync: UInt8 = 255
    /// The end of the last good body.
    private var goodEnd: UInt8 = 0
    private var repair = Repair()
    private let guessesEven: Bool

    init(length: UInt8, lag: UInt8, guessesEven: Bool, memory: UnsafeMutablePointer<UInt8>) {
        self.guessesEven = guessesEven
        slicer = PlateauSlicer(length: length, lag: lag)
        ring = SymbolRing(memory: memory)
    }

    /// Takes a sample. Returns whether a good body is in `body` now. A body that was guessed is good only with the
    /// header that is known, if one is.
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
        // The two filters guess in turn, so that the cost of a sample stays bounded by one guess.
        return (place & 1 == 0) == guessesEven && guess(body, known)
    }

    /// Takes a step of the level. Returns whether a good body is in `body` now.
    private mutating func step(_ step: UInt8, long: Bool, body: UnsafeMutablePointer<UInt8>) -> Bool {
        let bit = step & 1
        ring.append(bit: bit, long: long)
        history = history << 1 | UInt16(bit)
        if sinceSync < 255 { sinceSync &+= 1 }
        if left != 0 {
            left &-= 1
            if left == 0, read(ring.head, body) { return true }
        }
        if history & 0xFFF == LightLink.sync { found() }
        // The oldest symbols of a body that is searched are about to be written over.
        if repair.isActive, ring.head &- repair.end > 108 { repair.stop() }
        return false
    }

    private mutating func found() {
        let end = ring.head &- UInt8(LightLink.syncSymbols)
        // Two too many up to four too few, counted round 256; else there was a sync that was none.
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

    /// Makes one guess at what is wrong with a body. Returns whether a good one is in `body` now.
    private mutating func guess(_ body: UnsafeMutablePointer<UInt8>, _ known: UInt16) -> Bool {
        guard repair.isActive, repair.next(ring) else { return false }
        let reader = BlockReader(ring: ring, body: body)
        guard
            reader.read(
                end: repair.end, repair.first, at: repair.place, repair.second, at: repair.other),
            // One wrong guess in 16 million passes a block's check. With another header it would make the receiver
            // forget what it has; a payload that really follows another soon comes in a block that needs no guess.
            known == Fountain.unknown || UInt16(body[0]) == known
        else { return false }
        goodEnd = repair.end
        repair.stop()
        return true
    }
}
