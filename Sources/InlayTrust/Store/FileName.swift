import Crypto
import Foundation
@_spi(Inlay) import InlayWire

/// One file name for any text: percent-encoded, so that it cannot leave its folder; hashed when it is too long.
enum FileName {
    /// - Parameter keepsCase: Without it no two texts share a file even where upper and lower case are one:
    ///   a role called `ROOT` must not take the root's place.
    static func safe(_ text: String, keepsCase: Bool = true) -> String {
        let encoded = PercentEncoding.encode(text, keepsCase: keepsCase)
        // A lone dot or two are folders even when every character is allowed.
        guard encoded.utf8.count <= 200, encoded != ".", encoded != ".." else {
            return "%" + HexBytes.text(SHA256.hash(data: Data(text.utf8)))
        }
        return encoded
    }
}
