import Crypto
import Foundation

/// One file name for any text: percent-encoded, so that it cannot leave its folder; hashed when it is too long.
enum FileName {
    static func safe(_ text: String) -> String {
        let encoded = PercentEncoding.encode(text)
        // A lone dot or two are folders even when every character is allowed.
        guard encoded.utf8.count <= 200, encoded != ".", encoded != ".." else {
            return "%" + HexBytes.text(SHA256.hash(data: Data(text.utf8)))
        }
        return encoded
    }
}
