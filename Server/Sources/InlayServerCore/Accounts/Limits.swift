import Foundation
@_spi(Inlay) import InlayWire

/// The limits of texts that people and backends choose.
package enum Limits {
    /// Returns an id that people chose; throws `invalid-value` unless it is 1 to 64 of letters, digits, `-`, `_`, `.`.
    package static func id(_ text: String, _ field: String) throws -> String {
        let allowed = text.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
                || [45, 46, 95].contains($0)
        }
        guard allowed, (1...64).contains(text.utf8.count) else {
            throw Problem.invalidValue(field, "1 to 64 of the letters a–z, A–Z, digits, '-', '_' and '.'.")
        }
        return text
    }

    /// Does the same for an id with a type.
    package static func id<ID: RecordID>(_ id: ID, _ field: String) throws -> ID {
        ID(try Self.id(id.rawValue, field))
    }

    /// Returns a trimmed display name; throws `invalid-value` unless it has 1 to 128 Unicode scalars.
    package static func name(_ text: String, _ field: String = "name") throws -> String {
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...128).contains(name.unicodeScalars.count), !name.utf8.contains(0) else {
            throw Problem.invalidValue(field, "1 to 128 characters.")
        }
        return name
    }
}
