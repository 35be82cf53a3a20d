import Foundation

/// Harbor's video: a ferry crosses the bay, drawn frame by frame and encoded by `vpxenc`.
enum HarborVideo {
    private static let (width, height, frames, rate) = (480, 270, 60, 10)
    /// The duration in seconds.
    static let seconds = frames / rate

    /// Returns the video as WebM; `nil` when `vpxenc` (Debian: `vpx-tools`) is missing.
    static func make(in folder: URL) throws -> Data? {
        guard let encoder = encoder() else { return nil }
        let (raw, packed) = (
            folder.appendingPathComponent("film.yuv"), folder.appendingPathComponent("film.webm")
        )
        defer { try? FileManager.default.removeItem(at: raw) }
        var pictures = Data(capacity: frames * width * height * 3 / 2)
        for frame in 0..<frames { pictures.append(picture(at: Double(frame) / Double(frames - 1)).planes) }
        try pictures.write(to: raw)
        let process = Process()
        process.executableURL = encoder
        process.arguments = [
            "--codec=vp8", "--i420", "--webm", "--width=\(width)", "--height=\(height)", "--fps=\(rate)/1",
            "--rt", "--cpu-used=8", "--target-bitrate=400", "--quiet", "-o", packed.path, raw.path,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
        return try Data(contentsOf: packed)
    }

    private static func encoder() -> URL? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent("vpxenc") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Returns the frame at a moment of the crossing, 0 at the left quay, 1 at the right.
    private static func picture(at moment: Double) -> VideoFrame {
        var picture = VideoFrame(width: width, height: height, VideoColor(0xF6, 0xE7, 0xC8))
        picture.fill(340, 40, 44, 44, VideoColor(0xE5, 0xA8, 0x4B))
        picture.fill(0, 110, 130, 40, VideoColor(0x8F, 0xA9, 0x9A))
        picture.fill(330, 122, 150, 28, VideoColor(0x8F, 0xA9, 0x9A))
        picture.fill(0, 150, width, 120, VideoColor(0x0E, 0x5F, 0x66))
        let left = Int(moment * Double(width - 200)) + 20
        let swell = Int(3 * sin(moment * 24))
        picture.fill(left + 50, 108 + swell, 60, 30, VideoColor(0xFF, 0xFF, 0xFF))
        picture.fill(left + 92, 88 + swell, 12, 20, VideoColor(0xB3, 0x26, 0x1E))
        picture.fill(left, 136 + swell, 160, 26, VideoColor(0x1B, 0x1D, 0x1F))
        for window in 0..<5 {
            picture.fill(left + 56 + window * 10, 118 + swell, 6, 8, VideoColor(0x5C, 0xC2, 0xC4))
        }
        for wave in 0..<12 {
            let x = (wave * 44 + Int(moment * 180)) % (width + 40) - 20
            picture.fill(x, 180 + wave % 4 * 22, 26, 3, VideoColor(0x5C, 0xC2, 0xC4))
        }
        return picture
    }
}

/// A colour in YUV (BT.601, studio range).
private struct VideoColor {
    let y, u, v: UInt8

    init(_ red: Double, _ green: Double, _ blue: Double) {
        y = UInt8(16 + (65.738 * red + 129.057 * green + 25.064 * blue) / 256)
        u = UInt8(128 + (-37.945 * red - 74.494 * green + 112.439 * blue) / 256)
        v = UInt8(128 + (112.439 * red - 94.154 * green - 18.285 * blue) / 256)
    }
}

/// A frame as one plane of luma and two planes of chroma at half the size.
private struct VideoFrame {
    private let (width, height): (Int, Int)
    private var y, u, v: [UInt8]

    init(width: Int, height: Int, _ color: VideoColor) {
        (self.width, self.height) = (width, height)
        y = Array(repeating: color.y, count: width * height)
        u = Array(repeating: color.u, count: width * height / 4)
        v = Array(repeating: color.v, count: width * height / 4)
    }

    var planes: Data { Data(y + u + v) }

    /// Fills the part of a rectangle that is inside of the frame.
    mutating func fill(_ x: Int, _ top: Int, _ wide: Int, _ high: Int, _ color: VideoColor) {
        let columns = (x..<x + wide).clamped(to: 0..<width), rows = (top..<top + high).clamped(to: 0..<height)
        guard !columns.isEmpty else { return }
        for row in rows {
            for column in columns { y[row * width + column] = color.y }
            guard row % 2 == 0 else { continue }
            for column in columns where column % 2 == 0 {
                let place = row / 2 * (width / 2) + column / 2
                (u[place], v[place]) = (color.u, color.v)
            }
        }
    }
}
