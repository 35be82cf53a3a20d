/// The last 256 symbols of one filter: their bits, and whether each was shown for long.
///
/// A position is a `UInt8`, which wraps at 256. The memory is a part of the receiver's workspace.
struct SymbolRing {
    static let bytes = 64
    private let memory: UnsafeMutablePointer<UInt8>
    /// The position of the next symbol.
    private(set) var head: UInt8 = 0

    init(memory: UnsafeMutablePointer<UInt8>) { self.memory = memory }

    mutating func append(bit: UInt8, long: Bool) {
        let index = Int(head >> 3)
        let mask: UInt8 = 1 << (head & 7)
        memory[index] = bit == 0 ? memory[index] & ~mask : memory[index] | mask
        memory[index + 32] = long ? memory[index + 32] | mask : memory[index + 32] & ~mask
        head &+= 1
    }

    @inline(never)
    func bit(_ place: UInt8) -> UInt8 { memory[Int(place >> 3)] >> (place & 7) & 1 }

    /// Whether the symbol was shown longer than usual, as happens when the frame after it is lost.
    @inline(never)
    func isLong(_ place: UInt8) -> Bool { memory[Int(place >> 3) + 32] >> (place & 7) & 1 != 0 }
}
