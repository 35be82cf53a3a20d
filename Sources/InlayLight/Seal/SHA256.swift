/// SHA-256 (FIPS 180-4) in 96 bytes of the caller's memory.
///
/// Only for the seal: a device has no library for it, and the receiver has no heap.
struct SHA256 {
    /// The number of 32-bit words of working memory: the state (8) and the current block (16).
    static let words = 24
    private let state: UnsafeMutablePointer<UInt32>
    private let block: UnsafeMutablePointer<UInt32>
    private var length: UInt32 = 0

    init(_ words: UnsafeMutablePointer<UInt32>) {
        state = words
        block = words + 8
        start()
    }

    private mutating func start() {
        length = 0
        var index = 0
        while index < 8 {
            state[index] = Self.constant(Self.initial, index)
            index &+= 1
        }
    }

    mutating func add(_ byte: UInt8) {
        let word = Int(length &>> 2 & 15)
        block[word] = block[word] &<< 8 | UInt32(byte)
        length &+= 1
        if length & 63 == 0 { compress() }
    }

    mutating func add(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        var index = 0
        while index < count {
            add(bytes[index])
            index &+= 1
        }
    }

    /// Writes the digest of the message and starts a new message.
    mutating func finish(_ digest: UnsafeMutablePointer<UInt8>) {
        let bits = length &<< 3
        add(0x80)
        while length & 63 != 60 { add(0) }
        var index = 0
        while index < 4 {
            add(UInt8(truncatingIfNeeded: bits &>> UInt32(24 &- 8 &* index)))
            index &+= 1
        }
        index = 0
        while index < 32 {
            digest[index] = UInt8(truncatingIfNeeded: state[index &>> 2] &>> UInt32(24 &- 8 &* (index & 3)))
            index &+= 1
        }
        start()
    }

    private func rotate(_ word: UInt32, _ by: UInt32) -> UInt32 { word &>> by | word &<< (32 &- by) }

    private func compress() {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        var round = 0
        while round < 64 {
            let place = round & 15
            if round >= 16 {
                let near = block[(round &+ 1) & 15]
                let far = block[(round &+ 14) & 15]
                block[place] =
                    block[place] &+ block[(round &+ 9) & 15]
                    &+ (rotate(near, 7) ^ rotate(near, 18) ^ near &>> 3)
                    &+ (rotate(far, 17) ^ rotate(far, 19) ^ far &>> 10)
            }
            let one =
                h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ (e & f ^ ~e & g)
                &+ Self.constant(Self.rounds, round) &+ block[place]
            let two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ one, c, b, a, one &+ two)
            round &+= 1
        }
        (state[0], state[1], state[2], state[3]) = (
            state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d
        )
        (state[4], state[5], state[6], state[7]) = (
            state[4] &+ e, state[5] &+ f, state[6] &+ g, state[7] &+ h
        )
    }

    // MARK: Constants

    // Texts, because an array of numbers would be allocated on the heap, which the devices do not have.
    private static let initial: StaticString =
        "6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19"
    private static let rounds: StaticString = """
        428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5\
        d807aa9812835b01243185be550c7dc372be5d7480deb1fe9bdc06a7c19bf174\
        e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da\
        983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca635114292967\
        27b70a852e1b21384d2c6dfc53380d13650a7354766a0abb81c2c92e92722c85\
        a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070\
        19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3\
        748f82ee78a5636f84c878148cc7020890befffaa4506cebbef9a3f7c67178f2
        """

    private static func constant(_ text: StaticString, _ index: Int) -> UInt32 {
        var word: UInt32 = 0
        var place = 0
        while place < 8 {
            let digit = text.utf8Start[index &* 8 &+ place]
            word = word &<< 4 | UInt32(digit < 0x3A ? digit &- 0x30 : digit &- 0x57)
            place &+= 1
        }
        return word
    }
}
