import Foundation
import InlayWire

/// What a form or an address's query holds: names with their values, in the order in which they came.
struct FormFields: Sendable, Equatable {
    /// More fields than the largest template has; a body with more is refused unread.
    static let most = 8_000

    private var values: [String: [String]] = [:]
    /// The names in their order, in which those below a path stand together.
    private var names: [String] = []

    /// No fields.
    init() {}

    /// Reads `application/x-www-form-urlencoded`; throws `malformed-body` for text that is not UTF-8,
    /// broken percent-encoding, or too many fields.
    init(encoded: some StringProtocol) throws {
        let pairs = encoded.split(separator: "&", omittingEmptySubsequences: true)
        guard pairs.count <= Self.most else { throw Problem.malformedBody("At most \(Self.most) fields.") }
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decoded(parts[0])
            values[name, default: []].append(parts.count == 2 ? try Self.decoded(parts[1]) : "")
        }
        names = values.keys.sorted()
    }

    /// Fields with one value each, for tests and for links.
    init(_ pairs: [(String, String)]) {
        for (name, value) in pairs { values[name, default: []].append(value) }
        names = values.keys.sorted()
    }

    /// The first value of a name.
    subscript(name: String) -> String? { values[name]?.first }

    /// The first value of a name, without white space around it; empty when there is none.
    func trimmed(_ name: String) -> String {
        (values[name]?.first ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Every value of a name.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The first value of each field below a path, `elements[2]` for example, by the rest of its name.
    func values(below path: String) -> [String: String] {
        let prefix = "\(path)."
        var found: [String: String] = [:]
        // A body may name thousands of elements: looking through all fields for each would take seconds.
        var place = names.partitioningIndex { $0 >= prefix }
        while place < names.count, names[place].hasPrefix(prefix) {
            found[String(names[place].dropFirst(prefix.count))] = values[names[place]]?.first
            place += 1
        }
        return found
    }

    /// Every field in the order of names.
    var pairs: [(name: String, value: String)] {
        values.sorted { $0.key < $1.key }.flatMap { name, values in values.map { (name, $0) } }
    }

    /// Whether a check box of this name was ticked.
    func isOn(_ name: String) -> Bool { values[name]?.contains("on") ?? false }

    /// The same fields with one of them set to a single value, or removed.
    func with(_ name: String, _ value: String?) -> FormFields {
        var copy = self
        copy.values[name] = value.map { [$0] }
        copy.names = copy.values.keys.sorted()
        return copy
    }

    /// As a query; sorted by name, so that the same state always has the same address.
    var encoded: String {
        values.sorted { $0.key < $1.key }.flatMap { name, values in
            values.filter { !$0.isEmpty }.map { "\(Self.escaped(name))=\(Self.escaped($0))" }
        }.joined(separator: "&")
    }

    /// A text as one part of a path or query: everything but unreserved characters percent-encoded.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private static func decoded(_ text: some StringProtocol) throws -> String {
        let spaced = text.replacingOccurrences(of: "+", with: " ")
        guard let decoded = spaced.removingPercentEncoding, !decoded.contains("\0") else {
            throw Problem.malformedBody("A field is not percent-encoded UTF-8.")
        }
        // Browsers send CRLF for every line break of a text area.
        return decoded.replacingOccurrences(of: "\r\n", with: "\n")
    }
}

extension [String] {
    /// The first place from which on a condition holds, in an order in which it holds from some place on.
    fileprivate func partitioningIndex(where holds: (String) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
