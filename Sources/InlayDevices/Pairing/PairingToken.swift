import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// The 16 bytes of a pairing in the forms in which they travel.
struct PairingToken: Hashable, Sendable {
    let bytes: [UInt8]

    /// Reads base64url; `nil` when it is not 16 bytes.
    init?(_ text: String) {
        var base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: base64), data.count == Pairing.tokenBytes else { return nil }
        bytes = Array(data)
    }

    /// For people to type: 26 characters in groups, without the letters that look like digits (I, L, O) or
    /// make words (U). Upper and lower case are the same.
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
