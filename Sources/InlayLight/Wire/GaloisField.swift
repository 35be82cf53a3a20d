/// Arithmetic in GF(256) with the polynomial x⁸+x⁴+x³+x²+1 (0x11D), in which coded blocks are summed.
///
/// No tables: 512 bytes of them would be an eighth of the receiver's whole size, and a block comes once in
/// seconds.
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

    /// The number whose product with `number` is 1; 0 for 0.
    static func inverse(_ number: UInt8) -> UInt8 {
        // By Fermat: the 254th power.
        var power = number
        for _ in 0..<6 { power = product(product(power, power), number) }
        return product(power, power)
    }

    /// The coefficient of data block `column` in carousel block `id` of a payload of `blocks` blocks.
    ///
    /// Blocks below `blocks` are the data itself. The others are rows of a Cauchy matrix, of which every square
    /// part can be solved: *any* `blocks` different blocks are enough, always.
    static func coefficient(id: UInt8, column: UInt8, blocks: UInt8) -> UInt8 {
        if id < blocks { return id == column ? 1 : 0 }
        return inverse(id ^ column)
    }
}
