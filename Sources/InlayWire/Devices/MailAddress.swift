/// A mail address as it names an account: one spelling for all the ways in which people write it.
@_spi(Inlay) public struct MailAddress: Hashable, Sendable {
    /// The longest address, in bytes (RFC 5321).
    public static let maximumLength = 254

    /// The address in lower case, without the space around it.
    public let text: String

    /// Whether it is written in ASCII, as the addresses of accounts must be: with letters of other scripts two
    /// addresses may read as one. A domain has an ASCII form for that, which begins with `xn--`.
    public var isASCII: Bool { text.utf8.allSatisfy { $0 < 128 } }

    /// Reads what a person typed; `nil` when it is no address.
    ///
    /// Looser than the RFCs where it costs nothing, stricter where mail would not arrive: one `@`, a local
    /// part of 1 to 64 bytes without spaces or control characters, and a domain of at least two labels.
    public init?(_ typed: String) {
        let text = Self.trimmed(typed).lowercased()
        guard text.utf8.count <= Self.maximumLength, text.unicodeScalars.allSatisfy(Self.isAllowed) else {
            return nil
        }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count), Self.isDomain(parts[1]) else {
            return nil
        }
        guard !parts[0].hasPrefix("."), !parts[0].hasSuffix("."), !parts[0].contains("..") else { return nil }
        self.text = text
    }

    private static func trimmed(_ text: String) -> Substring {
        let start = text.drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return start[...last]
    }

    // A line break would start another header field of the mail; the rest has a meaning there.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x20 && !(0x7F...0xA0).contains(scalar.value)
            && !"<>()[],;:\\\"".unicodeScalars.contains(scalar)
            && !scalar.properties.isWhitespace && scalar.properties.generalCategory != .format
    }

    private static func isDomain(_ domain: Substring) -> Bool {
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.unicodeScalars.allSatisfy {
                        $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "-"
                    }
            }
    }
}
