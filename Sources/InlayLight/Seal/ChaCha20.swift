/// The ChaCha20 block function (RFC 8439) in 128 bytes of the caller's memory.
struct ChaCha20 {
    /// The number of 32-bit words of working memory.
    static let words = 32
    private let input: UnsafeMutablePointer<UInt32>
    private let output: UnsafeMutablePointer<UInt32>

    /// Starts a stream with a key of 32 bytes and a nonce of zeros: each key seals only one message.
    init(_ words: UnsafeMutablePointer<UInt32>, key: UnsafePointer<UInt8>) {
        input = words
        output = words + 16
        (input[0], input[1], input[2], input[3]) = (0x6170_7865, 0x3320_646E, 0x7962_2D32, 0x6B20_6574)
        var index = 0
        while index < 12 {
            input[4 &+ index] = index < 8 ? Self.word(key + index &* 4) : 0
            index &+= 1
        }
    }

    static func word(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
        UInt32(bytes[0]) | UInt32(bytes[1]) &<< 8 | UInt32(bytes[2]) &<< 16 | UInt32(bytes[3]) &<< 24
    }

    /// Computes the block of the stream with this counter.
    func make(_ counter: UInt32) {
        input[12] = counter
        var index = 0
        while index < 16 {
            output[index] = input[index]
            index &+= 1
        }
        var round = 0
        while round < 80 {
            // Even rounds mix columns, odd ones diagonals.
            let column = round & 3
            let slant = round & 4 == 0 ? 0 : 1
            quarter(
                column, 4 | (column &+ slant) & 3, 8 | (column &+ 2 &* slant) & 3,
                12 | (column &+ 3 &* slant) & 3)
            round &+= 1
        }
        index = 0
        while index < 16 {
            output[index] = output[index] &+ input[index]
            index &+= 1
        }
    }

    /// Returns a byte of the last computed block; only the lower six bits of `place` count.
    func byte(_ place: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: output[place &>> 2 & 15] &>> UInt32(8 &* (place & 3)))
    }

    private func quarter(_ a: Int, _ b: Int, _ c: Int, _ d: Int) {
        mix(a, b, d, 16)
        mix(c, d, b, 12)
        mix(a, b, d, 8)
        mix(c, d, b, 7)
    }

    private func mix(_ sum: Int, _ part: Int, _ rotated: Int, _ by: UInt32) {
        output[sum] = output[sum] &+ output[part]
        let word = output[rotated] ^ output[sum]
        output[rotated] = word &<< by | word &>> (32 &- by)
    }
}
