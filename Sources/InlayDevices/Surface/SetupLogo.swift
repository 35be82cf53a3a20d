import Foundation
internal import InlaySurface

/// The app's logo as a page may load it.
enum SetupLogo {
    static let largest = 1 << 20

    /// `nil` when the bytes are no picture that a page shows, or too many.
    static func content(_ data: Data) -> SurfaceContent? {
        guard data.count <= largest else { return nil }
        let types: [([UInt8], String)] = [
            ([0x89, 0x50, 0x4E, 0x47], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
            ([0x47, 0x49, 0x46, 0x38], "image/gif"), (Array("<svg".utf8), "image/svg+xml"),
            (Array("<?xml".utf8), "image/svg+xml"),
        ]
        guard let type = types.first(where: { data.starts(with: $0.0) })?.1 else { return nil }
        return SurfaceContent(mediaType: type, data: data)
    }
}
