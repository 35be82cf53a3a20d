/// One way in which a symbol can have been lost, added or mistaken, and how its bits are repaired.
enum Edit {
    static let none: UInt8 = 0
    /// A lost symbol between two equal steps: one step is seen, the other one.
    static let split: UInt8 = 1
    /// A lost symbol between two unlike steps: nothing is seen of either.
    static let insertUp: UInt8 = 2
    static let insertDown: UInt8 = 3
    /// A mistaken level between two others: two unlike steps changed places.
    static let swap: UInt8 = 4
    /// A level seen on the way from one to another: two equal steps for one.
    static let merge: UInt8 = 5

    /// Symbols that the edit adds, counted round 256.
    @inline(never)
    static func gain(_ kind: UInt8) -> UInt8 {
        switch kind {
        case split: 1
        case insertUp, insertDown: 2
        case merge: 255
        default: 0
        }
    }

    /// The bits that take the place of `bit`, the first one lowest, and a 1 above them.
    @inline(never)
    static func repair(_ kind: UInt8, _ bit: UInt8) -> UInt8 {
        let flipped = bit ^ 1
        switch kind {
        case split: return 0b100 | flipped &<< 1 | flipped
        case insertUp: return 0b1010 | bit &<< 2
        case insertDown: return 0b1001 | bit &<< 2
        case swap: return 0b100 | bit &<< 1 | flipped
        case merge: return 0b10 | flipped
        default: return 0b10 | bit
        }
    }
}
