/// Arithmetic in GF(256) with the polynomial x⁸+x⁴+x³+x²+1 (0x11D), for the sums of coded blocks.
///
/// There are no tables: 512 bytes of them would be an eighth of the receiver's code size, and blocks arrive seconds
/// apart.
enum GaloisField {
    @inline(never)
    static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (left, right, sum) = (left, right, UInt8(0))
        while right != 0 {
            if right & 1 != 0 { sum ^= left }
            left = left & 0x80 == 0 ? left << 1 : left << 1 ^ 0x1D
            right >>= 1
        }
        return sum
    }

    /// Returns the multiplicative inverse of a number; 0 for 0.
    static func inverse(_ number: UInt8) -> UInt8 {
        // Fermat's little theorem: the inverse is the 254th power.
        var power = number
        for _ in 0..<6 { power = product(product(power, power), number) }
        return product(power, power)
    }

    /// The coefficient of data block `column` in carousel block `id` of a payload of `blocks` blocks.
    ///
    /// Blocks with an id below `blocks` are the data itself. The others are rows of a Cauchy matrix, whose square
    /// submatrices are all invertible: *any* `blocks` different blocks are enough.
    static func coefficient(id: UInt8, column: UInt8, blocks: UInt8) -> UInt8 {
        if id < blocks { return id == column ? 1 : 0 }
        return inverse(id ^ column)
    }
}
