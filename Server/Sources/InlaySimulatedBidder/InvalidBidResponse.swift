import InlayServerCore

/// Invalid responses, as a defective bidder could send them.
enum InvalidBidResponse {
    /// Returns a body that is no valid response to this auction; each number selects another body.
    static func malformed(_ number: Int, _ auction: String) -> [UInt8] {
        let all: [[UInt8]] = [
            Array("<html>Bad gateway</html>".utf8), Array("{\"id\":\"\(auction)\",\"seatbid\":[{".utf8),
            Array(
                "{\"id\":\"another\",\"seatbid\":[{\"bid\":[{\"id\":\"1\",\"impid\":\"1\",\"price\":9}]}]}"
                    .utf8),
            [0xFF, 0xFE, 0x00, 0x7B], [], Array("null".utf8),
            Array(
                "{\"id\":\"\(auction)\",\"seatbid\":[{\"bid\":[{\"id\":\"1\",\"impid\":\"1\",\"price\":NaN}]}]}"
                    .utf8),
            Array(
                "{\"id\":\"\(auction)\",\"seatbid\":[{\"bid\":[{\"id\":\"1\",\"impid\":\"9\",\"price\":1e300,\"adm\":7}]}]}"
                    .utf8),
            Array(("{\"id\":\"\(auction)\",\"ext\":" + String(repeating: "[", count: 100_000)).utf8),
        ]
        return all[number % all.count]
    }

    /// Returns 4 MiB that begin like a response.
    static func oversized(_ auction: String) -> [UInt8] {
        Array("{\"id\":\"\(auction)\",\"customdata\":\"".utf8) + [UInt8](repeating: 0x61, count: 4 << 20)
    }

    /// About 26 KB of gzip that decompress to 4 MiB.
    static let compressed: [UInt8] = RepeatedByteGzip.bytes(
        beginning: Array("{\"id\":\"".utf8), then: 0x61, count: 4 << 20)
}

/// A gzip encoder for some bytes and one repeated byte. Foundation has no gzip, and nothing else here needs one.
enum RepeatedByteGzip {
    static func bytes(beginning: [UInt8], then byte: UInt8, count: Int) -> [UInt8] {
        var bits = DeflateBits()
        // The last block, with the fixed Huffman codes.
        bits.add(1, 1)
        bits.add(1, 2)
        for literal in beginning + [byte] { bits.addCode(0x30 + UInt32(literal), 8) }
        let matches = (count - 1) / 258
        for _ in 0..<matches {
            // 258 bytes from one byte back: length code 285 and distance code 0.
            bits.addCode(0b1100_0101, 8)
            bits.addCode(0, 5)
        }
        bits.addCode(0, 7)
        let length = beginning.count + 1 + matches * 258
        var crc = CRC32()
        beginning.forEach { crc.add($0) }
        for _ in 0..<(length - beginning.count) { crc.add(byte) }
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + bits.bytes() + littleEndianBytes(crc.value)
            + littleEndianBytes(UInt32(length))
    }

    private static func littleEndianBytes(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

/// A writer of bits in deflate's bit order.
private struct DeflateBits {
    private var done: [UInt8] = []
    private var pending: UInt32 = 0
    private var count: UInt32 = 0

    /// Appends a number, lowest bit first.
    mutating func add(_ value: UInt32, _ bits: UInt32) {
        pending |= value << count
        count += bits
        while count >= 8 {
            done.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            count -= 8
        }
    }

    /// Appends a Huffman code, highest bit first.
    mutating func addCode(_ code: UInt32, _ bits: UInt32) {
        for bit in (0..<bits).reversed() { add(code >> bit & 1, 1) }
    }

    func bytes() -> [UInt8] { count == 0 ? done : done + [UInt8(truncatingIfNeeded: pending)] }
}

/// The CRC-32 checksum of gzip.
private struct CRC32 {
    private var state = UInt32.max

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    mutating func add(_ byte: UInt8) {
        state = Self.table[Int((state ^ UInt32(byte)) & 0xFF)] ^ state >> 8
    }

    var value: UInt32 { ~state }
}
