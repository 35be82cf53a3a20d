package import Foundation

/// The media file of a video ad. It came with the load, so it plays without a network.
///
/// It counts towards the memory that all media files of a session share until nobody holds it any more: hand it to a
/// player, do not keep it.
package struct MediaFile: Sendable {
    /// The file of the ad that it is.
    package let media: AdVideo.Media
    /// The media type by its first bytes, for example `video/mp4`.
    package let mediaType: String
    /// All of it.
    package let data: Data
    let place: MediaFileCache.Place
}

/// The reason why a media file is missing.
enum MediaFileError: Error, Hashable {
    /// Nobody has it, or nobody may ask for it.
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
        case .missing(let reason): "the film is not there: \(reason)"
        case .timedOut: "the film took too long"
        case .tooLarge: "the film is too large"
        case .unreadable: "what came is no film"
        }
    }
}
