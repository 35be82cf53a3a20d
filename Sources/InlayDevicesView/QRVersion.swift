/// A size of QR codes, with the block structure of error correction M.
struct QRVersion: Hashable, Sendable {
    let number: Int
    /// The number of error correction bytes in each block.
    let check: Int
    /// The number of data bytes in each block.
    let blocks: [Int]

    var side: Int { number * 4 + 17 }
    var dataBytes: Int { blocks.reduce(0, +) }
    /// The number of bits of the length field.
    var lengthBits: Int { number < 10 ? 8 : 16 }

    /// The centres of the alignment patterns, on both axes.
    var alignments: [Int] {
        guard number > 1 else { return [] }
        guard number > 6 else { return [6, side - 7] }
        return [6, (side - 1) / 2, side - 7]
    }

    static func smallest(for bytes: Int) -> QRVersion? {
        all.first { bytes * 8 + 4 + $0.lengthBits <= $0.dataBytes * 8 }
    }

    private static let all: [QRVersion] = [
        (10, [(1, 16)]), (16, [(1, 28)]), (26, [(1, 44)]), (18, [(2, 32)]), (24, [(2, 43)]), (16, [(4, 27)]),
        (18, [(4, 31)]), (22, [(2, 38), (2, 39)]), (22, [(3, 36), (2, 37)]), (26, [(4, 43), (1, 44)]),
        (30, [(1, 50), (4, 51)]), (22, [(6, 36), (2, 37)]), (22, [(8, 37), (1, 38)]),
    ].enumerated().map { index, row in
        let (check, groups) = row
        return QRVersion(
            number: index + 1, check: check,
            blocks: groups.flatMap { count, bytes in [Int](repeating: bytes, count: count) })
    }
}
