import Foundation

/// Tells films from what only pretends to be one, such as the log-in page of a network.
enum FilmFormat {
    /// The media type of the container that a file begins with; `nil` when it is none that a web view plays.
    static func mediaType(of data: Data) -> String? {
        if data.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "video/webm" }
        if data.starts(with: Array("OggS".utf8)) { return "video/ogg" }
        // A box begins with its length; its name comes after.
        let name = String(decoding: data.dropFirst(4).prefix(4), as: UTF8.self)
        return boxes.contains(name) ? "video/mp4" : nil
    }

    /// What MP4 and its relatives may begin with.
    private static let boxes: Set = ["ftyp", "styp", "moov", "mdat", "free", "skip", "wide", "pnot"]
}
