public import Foundation

extension WebAddress {
    /// The address of a URL; `nil` for a URL that is none of http or https, or cannot be called.
    public init?(_ url: URL) {
        guard let address = try? WebAddress(url.absoluteString, maximumBytes: .max) else { return nil }
        self = address
    }

    /// The URL of the address, byte for byte; `nil` when no URL has its host.
    public var url: URL? { parts.hasURLHost ? Self.exactURL(text) : nil }

    /// The URL of an address whose macros are filled; `nil` for a text that is none.
    public static func url(_ text: String) -> URL? {
        (try? WebAddress(text, maximumBytes: .max))?.url
    }

    /// The URL of a link that a user follows, of any scheme; `nil` for a text that is none.
    ///
    /// It is byte for byte what was written, like ``url``. A text that no URL holds like that, such as `tel:` with
    /// blanks, is read as Foundation reads it.
    public static func link(_ text: String) -> URL? {
        url(text) ?? exactURL(text) ?? URL(string: text)
    }

    /// The URL of an address with https, or with http where its host is one of `plainHosts`; `nil` for all others.
    public static func secureURL(_ text: String, plainHosts: Set<String> = []) -> URL? {
        guard let address = try? WebAddress(text, maximumBytes: .max),
            !address.isPlain || plainHosts.contains(address.host)
        else { return nil }
        return address.url
    }

    /// The absolute address with every byte percent-encoded that may not stand in a URL (RFC 3986, section 2).
    ///
    /// So are a `%` that begins no encoded byte, and each `#` after the first. What is encoded stays, and so does the
    /// host.
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
        // Foundation encodes the whole of a component with one invalid byte, and what is encoded there once more.
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
