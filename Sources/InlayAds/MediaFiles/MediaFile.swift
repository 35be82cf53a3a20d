public import Foundation

/// The media file of a video ad. It came with the load, so it plays without a network.
///
/// The memory that all media files of a session share counts it until its last copy is released: hand it to a player,
/// and do not keep it.
@_spi(Inlay) public struct MediaFile: Sendable {
    /// The file of the ad that it is.
    package let media: AdVideo.Media
    /// The media type by its first bytes, for example `video/mp4`.
    public let mediaType: String
    /// The whole file.
    public let data: Data
    let place: MediaFileCache.Reservation
}

/// The reason why a media file is missing.
enum MediaFileError: Error, Hashable {
    /// No server has it, or it may not be requested.
    case missing(String)
    /// It took too long.
    case timedOut
    /// It is larger than the memory there is for it.
    case tooLarge
    /// The data is no video file.
    case unreadable

    /// VAST's number.
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
