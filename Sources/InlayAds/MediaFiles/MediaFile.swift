public import Foundation

/// The media file of a video ad. It was downloaded with the load, so it plays without a network.
///
/// The file counts toward the memory limit of the session's media files until its last copy is released: pass it to a
/// player, and do not keep it.
@_spi(Inlay) public struct MediaFile: Sendable {
    /// The file among those that the ad lists.
    package let media: AdVideo.Media
    /// The media type by its first bytes, for example `video/mp4`.
    public let mediaType: String
    /// The whole file.
    public let data: Data
    let reservation: MediaFileMemory.Reservation
}

/// The reason why a media file is missing.
enum MediaFileError: Error, Hashable {
    /// The server does not return the file, or the file may not be requested.
    case missing(String)
    /// The download took too long.
    case timedOut
    /// The file is larger than the reserved memory.
    case tooLarge
    /// The data is no video file.
    case unreadable

    /// VAST's error code.
    var trackerCode: Int {
        switch self {
        case .missing: 401
        case .timedOut: 402
        case .tooLarge: 400
        case .unreadable: 405
        }
    }

    var text: String {
        switch self {
        case .missing(let reason): "the media file is missing: \(reason)"
        case .timedOut: "the media file took too long"
        case .tooLarge: "the media file is too large"
        case .unreadable: "the response is no video file"
        }
    }
}
