import Foundation

/// The parts of an absolute http or https address (RFC 3986, section 3).
///
/// The parts are bytes, because in a `String` a combining mark after a `/` joins it to another character, which would
/// hide the end of a host.
struct WebAddressParts: Hashable, Sendable {
    private(set) var scheme: ArraySlice<UInt8>
    /// The host in ASCII, never empty.
    let host: ArraySlice<UInt8>
    /// The port with its colon; empty when there is none.
    private(set) var port: ArraySlice<UInt8>
    /// The path; empty, or beginning with `/`.
    private let path: ArraySlice<UInt8>
    /// The query and the fragment.
    private let tail: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) throws(WebAddress.Refusal) {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), Self.isWeb(bytes[..<colon]),
            bytes[(colon + 1)...].starts(with: "//".utf8)
        else { throw .notWeb }
        let start = colon + 3
        let end = bytes[start...].firstIndex(where: Self.isDelimiter) ?? bytes.endIndex
        let authority = bytes[start..<end]
        guard !authority.contains(UInt8(ascii: "@")) else { throw .userInformation }
        // The colons of an IPv6 address are in brackets.
        let hostEnd = authority.lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? start
        let portStart = authority[hostEnd...].firstIndex(of: UInt8(ascii: ":")) ?? end
        scheme = bytes[..<colon]
        host = try Self.ascii(authority[..<portStart])
        port = authority[portStart...]
        guard Self.isPort(port.dropFirst()) else { throw .host }
        let pathEnd = bytes[end...].firstIndex(where: Self.endsPath) ?? bytes.endIndex
        (path, tail) = (bytes[end..<pathEnd], bytes[pathEnd...])
    }

    var isHTTP: Bool { scheme.count == 4 }

    /// Whether the host is allowed in a URL, where brackets contain an IPv6 address and no macro. Foundation checks
    /// this on some systems only.
    var hasURLHost: Bool {
        guard host.contains(UInt8(ascii: "[")) || host.contains(UInt8(ascii: "]")) else { return true }
        guard host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") else { return false }
        var address = in6_addr()
        return inet_pton(AF_INET6, String(decoding: host.dropFirst().dropLast(), as: UTF8.self), &address)
            == 1
    }

    var secured: Self {
        var secured = self
        secured.scheme = Array("https".utf8)[...]
        if port.elementsEqual(":80".utf8) { secured.port = [] }
        return secured
    }

    /// The same parts with http.
    var plain: Self {
        var plain = self
        plain.scheme = Array("http".utf8)[...]
        return plain
    }

    var text: String {
        var bytes = Array(scheme)
        bytes += "://".utf8
        for part in [host, port, path, tail] { bytes += part }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the absolute address of a relative reference in the document with this address (RFC 3986, section
    /// 5.2.2).
    func resolving(_ reference: [UInt8]) -> [UInt8] {
        var bytes = Array(scheme)
        bytes += "://".utf8
        bytes += host
        bytes += port
        switch reference.first ?? 0 {
        case UInt8(ascii: "#"):
            bytes += path
            bytes += tail.prefix { $0 != UInt8(ascii: "#") }
            bytes += reference
        case UInt8(ascii: "?"):
            bytes += path
            bytes += reference
        default:
            let end = reference.firstIndex(where: Self.endsPath) ?? reference.endIndex
            bytes += Self.withoutDots(folder(of: reference) + reference[..<end])
            bytes += reference[end...]
        }
        return bytes
    }

    /// Returns the path to which a reference is appended, with its last slash; empty when the reference begins with a
    /// slash.
    private func folder(of reference: [UInt8]) -> ArraySlice<UInt8> {
        let slash = UInt8(ascii: "/")
        if reference.first == slash { return [] }
        return path.lastIndex(of: slash).map { path[...$0] } ?? [slash]
    }

    /// Returns the path without its segments `.` and `..` (RFC 3986, section 5.2.4).
    private static func withoutDots(_ path: ArraySlice<UInt8>) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        let segments = path.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
        var kept: [ArraySlice<UInt8>] = []
        for (index, segment) in segments.enumerated() {
            let isUp = segment.elementsEqual("..".utf8)
            if isUp { _ = kept.popLast() }
            if !isUp, !segment.elementsEqual(".".utf8) {
                kept.append(segment)
            } else if index == segments.count - 1 {
                kept.append([])
            }
        }
        return kept.reduce(into: [UInt8]()) { path, segment in
            path.append(slash)
            path += segment
        }
    }

    // MARK: Bytes

    /// Whether a byte ends the host of an address.
    static func isDelimiter(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || endsPath(byte) }

    private static func endsPath(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private static func isWeb(_ scheme: ArraySlice<UInt8>) -> Bool {
        ["http", "https"].contains(String(decoding: scheme, as: UTF8.self).lowercased())
    }

    /// Returns the host in ASCII. Foundation converts other letters (RFC 5891); on systems before iOS 17 it does not,
    /// and such a host is refused.
    private static func ascii(_ host: ArraySlice<UInt8>) throws(WebAddress.Refusal) -> ArraySlice<UInt8> {
        guard !host.isEmpty, host.allSatisfy({ $0 >= 0x80 || isInHost($0) }) else { throw .host }
        if host.allSatisfy(isInHost) { return host }
        let url = URL(string: "https://" + String(decoding: host, as: UTF8.self))
        let encoded = Array((url?.absoluteString ?? "").utf8.dropFirst(8))
        guard !encoded.isEmpty, encoded.allSatisfy(isInHost) else { throw .host }
        return encoded[...]
    }

    private static func isPort(_ digits: ArraySlice<UInt8>) -> Bool {
        digits.allSatisfy { (0x30...0x39).contains($0) }
            && (digits.isEmpty || UInt16(String(decoding: digits, as: UTF8.self)) != nil)
    }

    /// Whether a byte may stand in a host name, an IPv6 address in brackets, or a macro.
    private static func isInHost(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-._[]:".utf8.contains(byte)
    }
}
