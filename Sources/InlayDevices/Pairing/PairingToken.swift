import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// The 16 bytes of a pairing token, converted from and to text.
struct PairingToken: Hashable, Sendable {
    let bytes: [UInt8]

    /// Decodes base64url without padding; `nil` when the text is not 16 bytes.
    init?(_ text: String) {
        var base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: base64), data.count == Pairing.tokenBytes else { return nil }
        bytes = Array(data)
    }

    /// The token for people to type: 26 characters in groups of five, without the letters that look like digits (I, L,
    /// O) or may make words (U). The device ignores case.
    var typed: String {
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        var (text, buffer, bits) = ("", 0, 0)
        for byte in bytes {
            buffer = buffer << 8 | Int(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[buffer >> bits & 31])
            }
            buffer &= 0xFF
        }
        if bits > 0 { text.append(alphabet[buffer << (5 - bits) & 31]) }
        return stride(from: 0, to: text.count, by: 5).map { start in
            String(text.dropFirst(start).prefix(5))
        }.joined(separator: " ")
    }
}
