import InlayCore
@_spi(Inlay) import InlayWire

/// A reader that turns VAST into a video that can be played: parses, follows wrappers, chooses a file.
///
/// Its requests carry no credentials and pass the session's gate.
protocol AdVideoReader: Sendable {
    /// Returns the video of a VAST response.
    func video(from markup: String) async throws(AdVideoFailure) -> AdVideo
}

/// The reason why a VAST response has no video that can be played.
struct AdVideoFailure: Error, Hashable {
    /// VAST's number for the reason: 100...405, 900.
    var code: Int
    /// The explanation for developers.
    var reason: String
    /// The error addresses to call, with the macro `[ERRORCODE]`.
    var errors: [String] = []
}
