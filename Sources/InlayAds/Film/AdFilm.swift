public import Foundation

/// The film of a video ad. It came with the load, so it plays without a network.
///
/// It counts towards the memory that all films of a session share until nobody holds it any more: hand it to a
/// player, do not keep it.
public struct AdFilm: Sendable {
    /// The file of the ad that it is.
    public let media: AdVideo.Media
    /// What its first bytes say that it is, for example `video/mp4`.
    public let mediaType: String
    /// All of it.
    public let data: Data
    let place: AdFilmMemory.Place
}

/// Why there is no film.
enum AdFilmFailure: Error, Hashable {
    /// Nobody has it, or nobody may ask for it.
    case missing(String)
    /// It took too long.
    case timedOut
    /// It is larger than the memory there is for it.
    case tooLarge
    /// What came is no film.
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
