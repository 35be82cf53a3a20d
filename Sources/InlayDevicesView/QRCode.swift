/// A QR code (ISO/IEC 18004) of bytes with error correction M, up to version 13: 331 bytes.
///
/// It encodes only what a set-up shows to a camera. No library was found that does so without a network or a canvas of
/// its own.
struct QRCode: Hashable, Sendable {
    /// The width of the light border that a reader needs, in modules.
    static let quietZone = 4

    /// The number of modules on a side, without the border.
    let side: Int
    /// The modules row by row; `true` is dark.
    let modules: [Bool]

    /// Encodes a text. Without `mask`, chooses the one of the eight masks with the lowest penalty. `nil` when the text
    /// is too long.
    init?(_ text: String, mask fixedMask: Int? = nil) {
        let data = Array(text.utf8)
        guard let version = QRVersion.smallest(for: data.count) else { return nil }
        let codewords = QRCodewords.make(data, version)
        let grids = (fixedMask.map { $0...$0 } ?? 0...7).map { mask in
            var grid = QRGrid(version)
            grid.drawFunctions(mask: mask)
            grid.draw(codewords, mask: mask)
            return grid
        }
        guard let best = grids.min(by: { $0.penalty < $1.penalty }) else { return nil }
        side = version.side
        modules = best.modules
    }

    /// The dark modules as the path of an SVG: one unit per module, including the border.
    var path: String {
        var path = ""
        for y in 0..<side {
            var x = 0
            while x < side {
                guard modules[y * side + x] else {
                    x += 1
                    continue
                }
                let start = x
                while x < side, modules[y * side + x] { x += 1 }
                path += "M\(start + Self.quietZone) \(y + Self.quietZone)h\(x - start)v1h-\(x - start)z"
            }
        }
        return path
    }
}
