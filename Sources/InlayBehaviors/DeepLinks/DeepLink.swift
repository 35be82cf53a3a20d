import Foundation
@_spi(Inlay) import InlayWire

/// A link, split into the parts that routes are compared with.
struct DeepLink: Hashable, Sendable {
    /// The maximum size of a link, in bytes.
    static let maximumLength = 8192

    var scheme: String
    /// The part before the first slash, exactly as written.
    var host: String
    /// The parts of the path as written, without empty ones.
    private var writtenParts: ArraySlice<Substring>
    /// The parts of the path, percent-decoded. Stored, because a link is compared with every route.
    private(set) var parts: ArraySlice<String>
    /// The part after the question mark, as written; `nil` without one.
    var query: String?

    /// Reads a link; `nil` without a scheme or when it is longer than 8 KiB.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, let colon = text.firstIndex(of: ":"),
            colon > text.startIndex
        else { return nil }
        scheme = String(text[..<colon])
        var rest = text[text.index(after: colon)...]
        if let mark = rest.firstIndex(of: "#") { rest = rest[..<mark] }
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        host = String(rest[..<slash])
        writtenParts = ArraySlice(rest[slash...].split(separator: "/"))
        parts = ArraySlice(writtenParts.map { Self.decoded($0) })
    }

    /// The query's pairs in order, percent-decoded, as EngageSDK reads them for routes: a piece without exactly one "="
    /// is ignored, and "+" stays "+".
    var pairs: [(name: String, value: String)] {
        (query ?? "").split(separator: "&").compactMap { piece in
            let sides = piece.split(separator: "=", omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[0].isEmpty else { return nil }
            return (Self.decoded(sides[0]), Self.decoded(sides[1]))
        }
    }

    /// The query's parameters by the rules of HTML forms, used for campaigns: a value begins after the first "=" of its
    /// piece, and "+" is a space. A repeated name has its last value.
    var formParameters: [String: String] {
        let pairs = (query ?? "").split(separator: "&").compactMap { piece -> (String, String)? in
            guard let sign = piece.firstIndex(of: "="), sign > piece.startIndex else { return nil }
            return (Self.formText(piece[..<sign]), Self.formText(piece[piece.index(after: sign)...]))
        }
        return Dictionary(pairs) { $1 }
    }

    /// The link without the last part of its path, or without its host when the path is empty.
    var shortened: DeepLink? {
        guard !host.isEmpty || !parts.isEmpty else { return nil }
        var shorter = self
        if parts.isEmpty {
            shorter.host = ""
        } else {
            (shorter.writtenParts, shorter.parts) = (writtenParts.dropLast(), parts.dropLast())
        }
        return shorter
    }

    /// The link as text again, without empty parts.
    var text: String {
        "\(scheme)://\(host)" + writtenParts.map { "/" + $0 }.joined() + (query.map { "?" + $0 } ?? "")
    }

    private static func formText(_ text: Substring) -> String {
        // In a time such as 2030-01-05T12:00:00+02:00, "+" belongs to the offset, although a form would encode it.
        if Timestamp(rfc3339: decoded(text)) != nil { return decoded(text) }
        return decoded(text.replacing("+", with: " "))
    }

    private static func decoded(_ text: Substring) -> String { text.removingPercentEncoding ?? String(text) }
}
