import Foundation
import InlayLight

/// What a code for a camera says: the payload of the light link as text.
enum PictureText {
    /// What stands in front, so that a reader knows what it has.
    static let prefix = "INLAY1:"

    static func make(_ payload: LightPayload) -> String? {
        guard let encoder = try? LightEncoder(payload) else { return nil }
        return prefix + Data(encoder.bytes).base64EncodedString()
    }
}
