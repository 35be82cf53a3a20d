import Crypto
import Foundation
@_spi(Inlay) import InlayWire

/// One file name for any text: percent-encoded, so that it cannot leave its folder; hashed when it is too long.
enum FileName {
    /// - Parameter keepsCase: If false, no two texts share a file even on a file system that ignores case: a role
    ///   called `ROOT` must not replace the root.
    static func safe(_ text: String, keepsCase: Bool = true) -> String {
        let encoded = PercentEncoding.encode(text, keepsCase: keepsCase)
        // A lone dot or two are folders even when every character is allowed.
        guard encoded.utf8.count <= 200, encoded != ".", encoded != ".." else {
            return "%" + HexBytes.text(SHA256.hash(data: Data(text.utf8)))
        }
        return encoded
    }
}
