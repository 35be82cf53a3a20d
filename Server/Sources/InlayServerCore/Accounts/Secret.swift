import Crypto
package import Foundation

/// Random secrets: how they are made, stored and compared.
package enum Secret {
    /// Returns this many random bytes of the system's generator, in base64url.
    package static func random(bytes count: Int) -> String {
        SymmetricKey(size: .init(bitCount: count * 8)).withUnsafeBytes { base64URL(Data($0)) }
    }

    /// Returns a short random id: the prefix, and lower-case letters and digits that cannot be misread.
    package static func id(_ prefix: String, length: Int = 16) -> String {
        let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
        return prefix + String((0..<length).map { _ in letters.randomElement() ?? "x" })
    }

    /// Returns the stored form of a random secret. Plain SHA-256 is enough for 256 random bits; passwords
    /// go through ``Passwords``.
    package static func hash(_ secret: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(64)
        // Called for each request with an access token, so it makes no string for each byte.
        for byte in SHA256.hash(data: Data(secret.utf8)) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether two texts are equal, in a time that does not depend on where they differ.
    package static func equal(_ left: String, _ right: String) -> Bool {
        let left = Array(left.utf8), right = Array(right.utf8)
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    package static func base64URL(_ data: some DataProtocol) -> String {
        let letters = Data(data).base64EncodedData().compactMap { byte -> UInt8? in
            switch Unicode.Scalar(byte) {
            case "+": UInt8(ascii: "-")
            case "/": UInt8(ascii: "_")
            case "=": nil
            default: byte
            }
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
