/// The ways in which a symbol can be lost, added or misread, and the repair of its bits.
enum Edit {
    static let none: UInt8 = 0
    /// A symbol was lost between two equal steps: the receiver sees one step of the other kind.
    static let split: UInt8 = 1
    /// A symbol was lost between two unlike steps: the receiver sees neither step.
    static let insertUp: UInt8 = 2
    static let insertDown: UInt8 = 3
    /// A level between two others was misread: two unlike steps are exchanged.
    static let swap: UInt8 = 4
    /// A level was seen during a change between two others: the receiver sees two equal steps in place of one of the
    /// other kind.
    static let merge: UInt8 = 5

    /// Returns the number of symbols that the edit adds, modulo 256.
    @inline(never)
    static func gain(_ kind: UInt8) -> UInt8 {
        switch kind {
        case split: 1
        case insertUp, insertDown: 2
        case merge: 255
        default: 0
        }
    }

    /// Returns the bits that replace `bit`, the first one lowest, with a 1 above the last.
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
