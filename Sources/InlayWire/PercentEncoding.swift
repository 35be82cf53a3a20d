/// Percent-encoding of RFC 3986.
@_spi(Inlay) public enum PercentEncoding {
    /// Returns the text with everything but letters, digits, `-`, `.`, `_` and `~` encoded, so that it is one component
    /// in every part of a URL. Without `keepsCase`, capital letters are encoded as well, for file systems that ignore
    /// case.
    public static func encode(_ text: String, keepsCase: Bool = true) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z") where !keepsCase: encoded += hex(byte)
            case _ where byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                encoded += hex(byte)
            }
        }
        return encoded
    }

    /// Returns a path with its parts encoded, so that none of them ends the path; its slashes stay.
    public static func encode(path: String) -> String {
        path.pathParts.map { encode(String($0)) }.joined(separator: "/")
    }

    /// Returns the byte as `%` and two digits.
    static func hex(_ byte: UInt8) -> String {
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}

extension UInt8 {
    /// Whether the byte is one of `a` to `z`, `A` to `Z` and `0` to `9` in ASCII.
    var isASCIILetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
