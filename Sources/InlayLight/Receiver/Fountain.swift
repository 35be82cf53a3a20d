/// A solver for the payload's blocks: each received block is one linear equation in GF(256).
///
/// The rows are always fully reduced (Gauss–Jordan), so after the last block the data rows, one after the other, are
/// the payload. Row 16 is the working row.
struct Fountain {
    private static let rows = LightLink.maximumBlocks
    private static let width = LightLink.blockData
    /// The number of bytes of all rows, each with its factors and its data.
    static let bytes = (rows + 1) * (rows + width)

    private let factors: UnsafeMutablePointer<UInt8>
    let data: UnsafeMutablePointer<UInt8>
    /// The header byte of the payload that is being collected: its tag, and its number of blocks minus one.
    private(set) var header: UInt8 = 0
    /// The solved rows, one bit per row.
    private var solved: UInt16 = 0
    /// The number of solved rows.
    private(set) var count: UInt8 = 0

    init(memory: UnsafeMutablePointer<UInt8>) {
        data = memory
        factors = memory + (Self.rows + 1) * Self.width
    }

    /// The value of ``known`` while there is no block.
    static let unknown: UInt16 = 0x100
    /// The header byte of this payload's blocks, or ``unknown``.
    var known: UInt16 { count == 0 ? Self.unknown : UInt16(header) }

    /// The number of blocks of the payload.
    var needed: UInt8 { (header & 15) &+ 1 }
    var isFull: Bool { count == needed }

    mutating func clear() {
        solved = 0
        count = 0
    }

    /// Adds a block, given as header, id and data. A block of another payload discards all others; a block that adds no
    /// information changes nothing.
    mutating func add(_ body: UnsafeMutablePointer<UInt8>) {
        if body[0] != header { clear() }
        header = body[0]
        let work = UInt8(Self.rows)
        var column: UInt8 = 0
        while column < work {
            factorRow(work)[Int(column)] =
                column < needed ? GaloisField.coefficient(id: body[1], column: column, blocks: needed) : 0
            column &+= 1
        }
        clear(dataRow(work), UInt8(Self.width))
        subtract(body + 2, from: dataRow(work), times: 1, UInt8(Self.width))
        column = 0
        var pivot = work
        while column < work {
            let factor = factorRow(work)[Int(column)]
            if isSolved(column) {
                subtract(column, from: work, times: factor)
            } else if factor != 0, pivot == work {
                pivot = column
            }
            column &+= 1
        }
        if pivot != work { eliminate(pivot, work) }
    }

    /// Stores the working row as row `pivot` and eliminates that column from the other rows.
    private mutating func eliminate(_ pivot: UInt8, _ work: UInt8) {
        clear(factorRow(pivot), work)
        clear(dataRow(pivot), UInt8(Self.width))
        subtract(work, from: pivot, times: GaloisField.inverse(factorRow(work)[Int(pivot)]))
        var other: UInt8 = 0
        while other < work {
            if isSolved(other) { subtract(pivot, from: other, times: factorRow(other)[Int(pivot)]) }
            other &+= 1
        }
        solved |= 1 &<< UInt16(pivot)
        count &+= 1
    }

    private func isSolved(_ row: UInt8) -> Bool { solved &>> UInt16(row) & 1 != 0 }

    @inline(never)
    private func factorRow(_ row: UInt8) -> UnsafeMutablePointer<UInt8> { factors + Int(row) &* Self.rows }

    @inline(never)
    private func dataRow(_ row: UInt8) -> UnsafeMutablePointer<UInt8> { data + Int(row) &* Self.width }

    @inline(never)
    private func clear(_ bytes: UnsafeMutablePointer<UInt8>, _ count: UInt8) {
        var index = 0
        while index < Int(count) {
            bytes[index] = 0
            index &+= 1
        }
    }

    /// In GF(256), addition and subtraction are the same.
    @inline(never)
    private func subtract(_ row: UInt8, from other: UInt8, times factor: UInt8) {
        subtract(factorRow(row), from: factorRow(other), times: factor, UInt8(Self.rows))
        subtract(dataRow(row), from: dataRow(other), times: factor, UInt8(Self.width))
    }

    @inline(never)
    private func subtract(
        _ bytes: UnsafeMutablePointer<UInt8>, from others: UnsafeMutablePointer<UInt8>, times factor: UInt8,
        _ count: UInt8
    ) {
        var index = 0
        while index < Int(count) {
            others[index] ^= GaloisField.product(factor, bytes[index])
            index &+= 1
        }
    }
}
