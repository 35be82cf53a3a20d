import InlayCore
@_spi(Inlay) import InlayWire

/// Makes a video that can be played out of VAST: parses, follows wrappers, chooses a file.
///
/// The way behind it is a `Transport` without credentials; every request passes the session's gate.
protocol AdVideoReader: Sendable {
    /// The video of a VAST answer.
    func video(from markup: String) async throws(AdVideoFailure) -> AdVideo
}

/// The reason why a VAST answer brings no video.
struct AdVideoFailure: Error, Hashable {
    /// VAST's number for the reason: 100...405, 900.
    var code: Int
    /// The reason in words for a developer.
    var reason: String
    /// To be called with the number in place of `[ERRORCODE]`.
    var errors: [String] = []
}
