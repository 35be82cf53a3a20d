/// The encoding of data as codewords: header, padding, error correction, interleaving.
enum QRCodewords {
    static func make(_ data: [UInt8], _ version: QRVersion) -> [UInt8] {
        let codewords = padded(data, version)
        var blocks: [(data: [UInt8], check: [UInt8])] = []
        let divisor = self.divisor(version.check)
        var start = 0
        for size in version.blocks {
            let block = Array(codewords[start..<start + size])
            blocks.append((block, remainder(block, divisor)))
            start += size
        }
        var result: [UInt8] = []
        for index in 0..<(version.blocks.max() ?? 0) {
            for block in blocks where index < block.data.count { result.append(block.data[index]) }
        }
        for index in 0..<version.check { for block in blocks { result.append(block.check[index]) } }
        return result
    }

    private static func padded(_ data: [UInt8], _ version: QRVersion) -> [UInt8] {
        var bits: [Bool] = []
        func add(_ value: Int, _ width: Int) {
            for index in (0..<width).reversed() { bits.append(value >> index & 1 == 1) }
        }
        // Mode 4: bytes.
        add(4, 4)
        add(data.count, version.lengthBits)
        for byte in data { add(Int(byte), 8) }
        let capacity = version.dataBytes * 8
        add(0, min(4, capacity - bits.count))
        add(0, (8 - bits.count % 8) % 8)
        var pad = 0xEC
        while bits.count < capacity {
            add(pad, 8)
            pad ^= 0xEC ^ 0x11
        }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }

    // MARK: Reed–Solomon, over GF(256) with 0x11D

    static func divisor(_ degree: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: degree)
        result[degree - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                result[index] = product(result[index], root)
                if index + 1 < degree { result[index] ^= result[index + 1] }
            }
            root = product(root, 2)
        }
        return result
    }

    static func remainder(_ data: [UInt8], _ divisor: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: divisor.count)
        for byte in data {
            let factor = byte ^ result.removeFirst()
            result.append(0)
            for index in divisor.indices { result[index] ^= product(divisor[index], factor) }
        }
        return result
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product = 0
        for index in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7) * 0x11D
            product ^= Int(right >> UInt8(index) & 1) * Int(left)
        }
        return UInt8(truncatingIfNeeded: product)
    }
}
