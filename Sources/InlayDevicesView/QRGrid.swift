/// The modules of a QR code while it is drawn.
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
        for place in 0..<side {
            set(6, place, place % 2 == 0)
            set(place, 6, place % 2 == 0)
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
        var rest = mask
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (mask << 10 | rest) ^ 0x5412
        func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
        for place in 0...5 { set(8, place, bit(place)) }
        set(8, 7, bit(6))
        set(8, 8, bit(7))
        set(7, 8, bit(8))
        for place in 9..<15 { set(14 - place, 8, bit(place)) }
        for place in 0..<8 { set(side - 1 - place, 8, bit(place)) }
        for place in 8..<15 { set(8, side - 15 + place, bit(place)) }
        set(8, side - 8, true)
    }

    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        var rest = version.number
        for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
        let bits = version.number << 12 | rest
        for place in 0..<18 {
            let isDark = bits >> place & 1 == 1
            set(side - 11 + place % 3, place / 3, isDark)
            set(place / 3, side - 11 + place % 3, isDark)
        }
    }

    // MARK: Data

    mutating func draw(_ codewords: [UInt8], mask: Int) {
        var place = 0
        for right in stride(from: side - 1, through: 1, by: -2) {
            // The column of the timing pattern is left out.
            let column = right <= 6 ? right - 1 : right
            let isUp = (column + 1) & 2 == 0
            for step in 0..<side {
                let y = isUp ? side - 1 - step : step
                for x in [column, column - 1] where !isFunction[y * side + x] {
                    var isDark = false
                    if place < codewords.count * 8 {
                        isDark = codewords[place >> 3] >> UInt8(7 - place & 7) & 1 == 1
                    }
                    place += 1
                    modules[y * side + x] = isDark != Self.masks(mask, x, y)
                }
            }
        }
    }

    private static func masks(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
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

    // MARK: How hard it is to read

    /// Long runs, blocks of one colour, what looks like a corner, and more of one colour than of the other make a
    /// code hard to read.
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

    /// A row or a column alone.
    private static func penalty(_ line: [Bool]) -> Int {
        // The seven modules across a corner's pattern, with four light ones before or after.
        let corners = [0b000_0101_1101, 0b101_1101_0000]
        var (sum, length, last) = (0, 0, 0)
        var colour = false
        for (place, isDark) in line.enumerated() {
            length = isDark == colour ? length + 1 : 1
            colour = isDark
            if length == 5 { sum += 3 } else if length > 5 { sum += 1 }
            last = (last << 1 | (isDark ? 1 : 0)) & 0x7FF
            if place >= 10, corners.contains(last) { sum += 40 }
        }
        return sum
    }
}
