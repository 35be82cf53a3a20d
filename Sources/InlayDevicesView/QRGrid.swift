/// A square of QR modules that draws itself: function patterns first, then the data.
struct QRGrid {
    private let version: QRVersion
    private let side: Int
    private(set) var modules: [Bool]
    private var isFunction: [Bool]

    init(_ version: QRVersion) {
        self.version = version
        side = version.side
        modules = [Bool](repeating: false, count: side * side)
        isFunction = modules
    }

    private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
        modules[y * side + x] = isDark
        isFunction[y * side + x] = true
    }

    // MARK: Patterns

    mutating func drawFunctions(mask: Int) {
        for index in 0..<side {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
        for (x, y) in [(3, 3), (side - 4, 3), (3, side - 4)] { drawFinder(x, y) }
        let centres = version.alignments
        for x in centres {
            for y in centres where !isCorner(x, y) { drawAlignment(x, y) }
        }
        drawFormat(mask)
        drawVersion()
    }

    private func isCorner(_ x: Int, _ y: Int) -> Bool {
        (x == 6 && y == 6) || (x == 6 && y == side - 7) || (x == side - 7 && y == 6)
    }

    private mutating func drawFinder(_ x: Int, _ y: Int) {
        for dy in -4...4 {
            for dx in -4...4 where (0..<side).contains(x + dx) && (0..<side).contains(y + dy) {
                let ring = max(abs(dx), abs(dy))
                set(x + dx, y + dy, ring != 2 && ring != 4)
            }
        }
    }

    private mutating func drawAlignment(_ x: Int, _ y: Int) {
        for dy in -2...2 { for dx in -2...2 { set(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) } }
    }

    private mutating func drawFormat(_ mask: Int) {
        // Error correction M has the number 0.
        var remainder = mask
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
        let bits = (mask << 10 | remainder) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { set(8, index, bit(index)) }
        set(8, 7, bit(6))
        set(8, 8, bit(7))
        set(7, 8, bit(8))
        for index in 9..<15 { set(14 - index, 8, bit(index)) }
        for index in 0..<8 { set(side - 1 - index, 8, bit(index)) }
        for index in 8..<15 { set(8, side - 15 + index, bit(index)) }
        set(8, side - 8, true)
    }

    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        var remainder = version.number
        for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1F25 }
        let bits = version.number << 12 | remainder
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            set(side - 11 + index % 3, index / 3, isDark)
            set(index / 3, side - 11 + index % 3, isDark)
        }
    }

    // MARK: Data

    mutating func draw(_ codewords: [UInt8], mask: Int) {
        var index = 0
        for right in stride(from: side - 1, through: 1, by: -2) {
            // The column of the timing pattern is left out.
            let column = right <= 6 ? right - 1 : right
            let isUp = (column + 1) & 2 == 0
            for step in 0..<side {
                let y = isUp ? side - 1 - step : step
                for x in [column, column - 1] where !isFunction[y * side + x] {
                    var isDark = false
                    if index < codewords.count * 8 {
                        isDark = codewords[index >> 3] >> UInt8(7 - index & 7) & 1 == 1
                    }
                    index += 1
                    modules[y * side + x] = isDark != Self.isInverted(mask, x, y)
                }
            }
        }
    }

    private static func isInverted(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    // MARK: Penalty

    /// The penalty score, by which the best mask is chosen: it grows with runs, blocks of one colour, patterns that
    /// look like finders, and an unequal share of dark modules.
    var penalty: Int {
        var sum = 0
        for line in 0..<side {
            sum += Self.penalty((0..<side).map { modules[line * side + $0] })
            sum += Self.penalty((0..<side).map { modules[$0 * side + line] })
        }
        for y in 0..<side - 1 {
            for x in 0..<side - 1 {
                let colour = modules[y * side + x]
                let isBlock =
                    colour == modules[y * side + x + 1] && colour == modules[(y + 1) * side + x]
                    && colour == modules[(y + 1) * side + x + 1]
                if isBlock { sum += 3 }
            }
        }
        let dark = modules.count { $0 }
        return sum + abs(dark * 20 - modules.count * 10) / modules.count * 10
    }

    /// Returns the penalty of one row or column.
    private static func penalty(_ line: [Bool]) -> Int {
        // The seven modules across a finder pattern, with four light ones before or after.
        let corners = [0b000_0101_1101, 0b101_1101_0000]
        var (sum, length, last) = (0, 0, 0)
        var colour = false
        for (index, isDark) in line.enumerated() {
            length = isDark == colour ? length + 1 : 1
            colour = isDark
            if length == 5 { sum += 3 } else if length > 5 { sum += 1 }
            last = (last << 1 | (isDark ? 1 : 0)) & 0x7FF
            if index >= 10, corners.contains(last) { sum += 40 }
        }
        return sum
    }
}
