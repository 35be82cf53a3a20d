/// A mail address in the one spelling that identifies an account, however people write it.
@_spi(Inlay) public struct MailAddress: Hashable, Sendable {
    /// The maximum length of an address, in bytes (RFC 5321).
    public static let maximumLength = 254

    /// The address in lower case, without white space at its ends.
    public let text: String

    /// Whether the address is in ASCII, as the addresses of accounts must be: with letters of other scripts, two
    /// addresses can look the same. A domain with such letters has an ASCII form, which begins with `xn--`.
    public var isASCII: Bool { text.utf8.allSatisfy { $0 < 128 } }

    /// Reads a typed address; `nil` for a text that is none.
    ///
    /// The check is looser than the RFCs where that does no harm, and stricter where mail would not arrive: one `@`, a
    /// local part of 1 to 64 bytes without spaces or control characters, and a domain of at least two labels.
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

    // A line break would begin another header field of the mail; the other characters have a meaning in header fields.
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
