/// An http or https address in a third party's document: a tracker, a media file, a notice of a bidder.
///
/// It is read as leniently as browsers do. White space around it is dropped, a line break inside is dropped with the
/// blanks beside it, and every other blank becomes `%20`. An address that begins with `//` gets https, or http when its
/// document came over http and its host may be called over http. Other relative addresses are resolved against the
/// address of their document (RFC 3986, section 5). Everything else stays byte for byte, also macros such as
/// `[ERRORCODE]` and `${AUCTION_PRICE}`, until ``url`` creates a URL.
@_spi(Inlay) public struct WebAddress: Hashable, Sendable {
    /// The whole address with its macros. The host is ASCII.
    public let text: String
    let parts: WebAddressParts

    /// Reads an address.
    ///
    /// - Parameters:
    ///   - base: The address of the document; without it a relative address is refused.
    ///   - cleartextHosts: The hosts that an address without a scheme is called at over http, when its document came
    ///     over http.
    ///   - maximumBytes: The maximum size of the text, before and after it is resolved.
    public init(
        _ written: String, relativeTo base: WebAddress? = nil, cleartextHosts: Set<String> = [],
        maximumBytes: Int = 4096
    ) throws(Refusal) {
        let bytes = try Self.normalized(written)
        guard bytes.count <= maximumBytes else { throw .tooLong(maximumBytes) }
        self.init(try WebAddressParts(Self.absolute(bytes, base)))
        if bytes.starts(with: Self.noScheme), base?.isHTTP == true, cleartextHosts.contains(host) {
            self = WebAddress(parts.plain)
        }
        guard text.utf8.count <= maximumBytes else { throw .tooLong(maximumBytes) }
    }

    private init(_ parts: WebAddressParts) { (self.parts, text) = (parts, parts.text) }

    /// Whether the address has http, so that everybody on the network sees the request.
    public var isHTTP: Bool { parts.isHTTP }

    /// The host in lower case, without the port.
    public var host: String { String(decoding: parts.host, as: UTF8.self).lowercased() }

    /// The same address with https. Port 80 is dropped, as a browser does when it upgrades to https.
    public var secured: WebAddress { isHTTP ? WebAddress(parts.secured) : self }

    /// The reason why a text is no address that can be called.
    public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// Nothing but white space.
        case empty
        /// More than this number of bytes.
        case tooLong(Int)
        /// A control character that is neither a tab nor a line break.
        case control
        /// A name or password before an `@`.
        case userInformation
        /// A relative address, and no document to resolve it against.
        case relative
        /// Another scheme than http and https, or a macro in place of the whole address.
        case notWeb
        /// No host, or a host or port that cannot be called.
        case host

        public var description: String {
            switch self {
            case .empty: "an empty address"
            case .tooLong(let bytes): "an address of more than \(bytes) bytes"
            case .control: "an address with control characters"
            case .userInformation: "an address with a user name or password"
            case .relative: "a relative address with nothing to resolve it against"
            case .notWeb: "no address of http or https"
            case .host: "an address without a host that can be called"
            }
        }
    }
}

// MARK: Reading

extension WebAddress {
    /// The beginning of an address that has a host and no scheme.
    private static let noScheme = Array("//".utf8)

    /// Returns the bytes without white space around them and line breaks inside, with blanks percent-encoded.
    private static func normalized(_ written: String) throws(Refusal) -> [UInt8] {
        let utf8 = trimmed(written).utf8
        guard !utf8.isEmpty else { throw .empty }
        guard utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return Array(utf8) }
        var bytes: [UInt8] = []
        var (blanks, isBroken) = (0, false)
        for byte in utf8 {
            switch byte {
            case 0x20: blanks += 1
            case 0x09, 0x0A, 0x0D: isBroken = true
            case 0..<0x20, 0x7F: throw .control
            default:
                // Blanks beside a line break are the document's indentation.
                for _ in 0..<(isBroken ? 0 : blanks) { bytes += "%20".utf8 }
                (blanks, isBroken) = (0, false)
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func trimmed(_ text: String) -> Substring {
        func isSpace(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isWhitespace || scalar == "\u{FEFF}"
        }
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return Substring(scalars[first...last])
    }

    private static func absolute(_ bytes: [UInt8], _ base: WebAddress?) throws(Refusal) -> [UInt8] {
        if bytes.starts(with: noScheme) { return Array("https:".utf8) + bytes }
        // A colon before any delimiter ends a scheme.
        let start = bytes.prefix { !WebAddressParts.isDelimiter($0) }
        guard !start.contains(UInt8(ascii: ":")) else { return bytes }
        // A macro in place of the whole address has no host before it is filled.
        guard bytes.first != UInt8(ascii: "[") else { throw .notWeb }
        guard let base else { throw .relative }
        return base.parts.resolving(bytes)
    }
}
