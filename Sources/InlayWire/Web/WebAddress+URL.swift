public import Foundation

extension WebAddress {
    /// Creates the address of a URL; `nil` for a URL that is not http or https, or cannot be called.
    public init?(_ url: URL) {
        guard let address = try? WebAddress(url.absoluteString, maximumBytes: .max) else { return nil }
        self = address
    }

    /// The URL of the address, byte for byte; `nil` when no URL has its host.
    public var url: URL? { parts.hasURLHost ? Self.exactURL(text) : nil }

    /// Returns the URL of an address whose macros are filled; `nil` for a text that is no web address.
    public static func url(_ text: String) -> URL? {
        (try? WebAddress(text, maximumBytes: .max))?.url
    }

    /// Returns the URL of a link of any scheme that a user follows; `nil` for a text that is no URL.
    ///
    /// The URL is byte for byte what was written, like ``url``. Foundation interprets a text that cannot be kept so,
    /// such as `tel:` with blanks.
    public static func link(_ text: String) -> URL? {
        url(text) ?? exactURL(text) ?? URL(string: text)
    }

    /// Returns the URL of an address with https, or with http when its host is in `cleartextHosts`; otherwise `nil`.
    public static func secureURL(_ text: String, cleartextHosts: Set<String> = []) -> URL? {
        guard let address = try? WebAddress(text, maximumBytes: .max),
            !address.isHTTP || cleartextHosts.contains(address.host)
        else { return nil }
        return address.url
    }

    /// Returns the absolute address with every byte percent-encoded that is not allowed in a URL (RFC 3986, section 2).
    ///
    /// A `%` that begins no encoded byte is encoded, too, and so is each `#` after the first. Encoded bytes and the
    /// host stay unchanged.
    public static func escaped(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let start = bytes.firstIndex(of: UInt8(ascii: ":")).map { min($0 + 3, bytes.count) } ?? 0
        let pathStart = bytes[start...].firstIndex(where: WebAddressParts.isDelimiter) ?? bytes.count
        var escaped = Array(bytes[..<pathStart])
        var hasFragment = false
        for (index, byte) in bytes.enumerated().dropFirst(pathStart) {
            let isKept =
                switch byte {
                case UInt8(ascii: "%"): beginsEncodedByte(bytes[index...])
                case UInt8(ascii: "#"): !hasFragment
                default: isInURL(byte)
                }
            hasFragment = hasFragment || byte == UInt8(ascii: "#")
            if isKept { escaped.append(byte) } else { escaped += PercentEncoding.hex(byte).utf8 }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func exactURL(_ text: String) -> URL? {
        let escaped = Self.escaped(text)
        // Foundation encodes a whole component when one of its bytes is invalid, so that bytes already encoded are
        // encoded twice.
        guard let url = URL(string: escaped), url.absoluteString == escaped else { return nil }
        return url
    }

    private static func beginsEncodedByte(_ bytes: ArraySlice<UInt8>) -> Bool {
        let digits = bytes.dropFirst().prefix(2)
        return digits.count == 2 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    /// Whether a byte may stand unencoded in a path, a query and a fragment.
    private static func isInURL(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-._~!$&'()*+,;=:@/?".utf8.contains(byte)
    }
}
