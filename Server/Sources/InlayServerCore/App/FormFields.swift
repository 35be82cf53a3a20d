import Foundation
@_spi(Inlay) import InlayWire

/// The fields of a form or a query: names with their values, in the order in which they came.
package struct FormFields: Sendable, Equatable {
    /// The maximum number of fields, more than the largest template has; a body with more is refused before they are
    /// decoded.
    package static let maximum = 8_000

    private var values: [String: [String]] = [:]
    /// The sorted names, so that those below a path are next to each other.
    private var names: [String] = []

    /// No fields.
    package init() {}

    /// Reads `application/x-www-form-urlencoded`; throws `malformed-body` for text that is not UTF-8,
    /// broken percent-encoding, or too many fields.
    package init(encoded: some StringProtocol) throws {
        let pairs = encoded.split(separator: "&", omittingEmptySubsequences: true)
        guard pairs.count <= Self.maximum else {
            throw Problem.malformedBody("At most \(Self.maximum) fields.")
        }
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decoded(parts[0])
            values[name, default: []].append(parts.count == 2 ? try Self.decoded(parts[1]) : "")
        }
        names = values.keys.sorted()
    }

    /// Creates fields from names with values, for tests and for links.
    package init(_ pairs: [(String, String)]) {
        for (name, value) in pairs { values[name, default: []].append(value) }
        names = values.keys.sorted()
    }

    /// The first value of a name.
    package subscript(name: String) -> String? { values[name]?.first }

    /// The first value of a name, without white space around it; empty when there is none.
    package func trimmed(_ name: String) -> String {
        (values[name]?.first ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Every value of a name.
    package func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The first value of each field below a path, `elements[2]` for example, by the rest of its name.
    package func values(below path: String) -> [String: String] {
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
    package var pairs: [(name: String, value: String)] {
        values.sorted { $0.key < $1.key }.flatMap { name, values in values.map { (name, $0) } }
    }

    /// Whether a check box of this name was ticked.
    package func isOn(_ name: String) -> Bool { values[name]?.contains("on") ?? false }

    /// The same fields with one of them set to a single value, or removed.
    package func with(_ name: String, _ value: String?) -> FormFields {
        var copy = self
        copy.values[name] = value.map { [$0] }
        copy.names = copy.values.keys.sorted()
        return copy
    }

    /// The fields as a query; sorted by name, so that the same state always has the same address.
    package var encoded: String {
        values.sorted { $0.key < $1.key }.flatMap { name, values in
            values.filter { !$0.isEmpty }.map { "\(Self.escaped(name))=\(Self.escaped($0))" }
        }.joined(separator: "&")
    }

    /// Returns a text as one part of a path or query: everything but unreserved characters percent-encoded.
    package static func escaped(_ text: String) -> String {
        PercentEncoding.encode(text)
    }

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
    /// Returns the first index at which a condition holds; from there on it must hold for all elements.
    fileprivate func partitioningIndex(where holds: (String) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
