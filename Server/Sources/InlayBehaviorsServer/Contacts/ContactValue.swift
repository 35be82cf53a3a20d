import Crypto
import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A value of a column, in the form that the column's type requires.
struct ContactValue: Hashable, Sendable {
    /// The maximum length of a value, in Unicode scalars.
    static let maximumLength = 3_999
    private static let maximumFoldedBytes = 200
    private static let maximumBeginningBytes = 1_024

    /// The value in the column's notation: `Yes`, `2014-06-10`, `12.50` for `١٢٫٥٠`.
    let text: String
    /// The key that orders numbers and dates (in seconds since 1970); `nil` for other types. Numbers that differ only
    /// from the 16th digit on may have the same key.
    let number: Double?

    /// The key for lookups: a number in normal form, any other text in lower case. A long text is replaced by its
    /// beginning and a digest, because an index limits the length.
    let folded: String

    /// Returns the lookup key of a text in a column; for a text that is no valid value, the key of plain text.
    static func folded(_ text: String, in column: ContactColumn) -> String {
        (try? ContactValue(text, for: column))?.folded ?? folded(text)
    }

    static func folded(_ text: String) -> String {
        let folded = text.lowercased()
        guard folded.utf8.count > maximumFoldedBytes else { return folded }
        let digest = SHA256.hash(data: Data(folded.utf8)).prefix(16)
        let characters = String(folded.prefix(40))
        // A character can have any number of combining marks.
        let beginning =
            characters.utf8.count <= maximumBeginningBytes ? characters : folded.prefix(scalars: 40)
        return beginning + "#" + Secret.base64URL(Data(digest))
    }

    private init(_ text: String, _ number: Double? = nil, decimal: DecimalNumber? = nil) {
        self.text = text
        self.number = number
        folded = Self.folded(decimal?.text ?? text)
    }

    /// The error for a value that its column refuses, or for a line that cannot be imported.
    struct InvalidValue: Error, Hashable { let reason: String }

    /// Reads a value of a column; throws ``InvalidValue``. An empty text is always valid and means no value.
    init(_ text: String, for column: ContactColumn) throws {
        guard text.unicodeScalars.count <= Self.maximumLength else {
            throw InvalidValue(reason: "\(column.name): at most 3999 characters.")
        }
        guard !text.unicodeScalars.contains(where: Self.isForbidden) else {
            throw InvalidValue(reason: "\(column.name): no control characters.")
        }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else {
            self.init("")
            return
        }
        guard let value = Self.read(text, trimmed, column) else {
            throw InvalidValue(reason: "\(column.name): \(Self.rule(column)).")
        }
        self = value
    }

    private static func read(_ text: String, _ trimmed: String, _ column: ContactColumn) -> ContactValue? {
        switch column.type {
        case .text, .country, .segmenting, .system, .smsOptIn, .smsPhone, .phone: ContactValue(text)
        case .yesNo: yesNo(trimmed)
        case .numeric: number(trimmed)
        case .date, .smsOptedOutDate:
            ContactDateFormat.date(trimmed).map { ContactValue($0.text, $0.seconds) }
        case .time: ContactDateFormat.time(trimmed).map { ContactValue($0) }
        case .timestamp: ContactDateFormat.timestamp(trimmed).map { ContactValue($0.text, $0.seconds) }
        case .email: isEmail(trimmed) ? ContactValue(trimmed) : nil
        case .syncID: trimmed.utf8.count <= 128 ? ContactValue(trimmed) : nil
        case .selectOne: choice(trimmed, column).map { ContactValue($0) }
        case .multiSelect: choices(trimmed, column).map { ContactValue($0) }
        }
    }

    private static func rule(_ column: ContactColumn) -> String {
        switch column.type {
        case .yesNo: "Yes or No"
        case .numeric: "a number in decimal digits of one script, such as 12.5 or 1e3"
        case .date, .smsOptedOutDate: "a date, yyyy-MM-dd"
        case .time: "a time, HH:mm or HH:mm:ss"
        case .timestamp: "a moment, yyyy-MM-ddTHH:mm:ss.SSSZ"
        case .email: "an e-mail address"
        case .selectOne: "one of its choices"
        case .multiSelect: "some of its choices, with semicolons between them"
        case .syncID: "at most 128 bytes"
        default: "a text"
        }
    }

    private static func number(_ text: String) -> ContactValue? {
        guard let number = try? TypedNumber(text, .exponent) else { return nil }
        return number.double.map { ContactValue(number.ascii, $0, decimal: number.decimal) }
    }

    private static func yesNo(_ text: String) -> ContactValue? {
        switch text.lowercased() {
        case "yes": ContactValue("Yes")
        case "no": ContactValue("No")
        default: nil
        }
    }

    private static func choice(_ text: String, _ column: ContactColumn) -> String? {
        column.choices.isEmpty ? text : column.choices.first { $0.lowercased() == text.lowercased() }
    }

    private static func choices(_ text: String, _ column: ContactColumn) -> String? {
        let parts = text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        let known = parts.filter { !$0.isEmpty }.compactMap { choice($0, column) }
        return known.count == parts.count ? known.joined(separator: ";") : nil
    }

    private static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".") && text.utf8.count <= 254
            && !text.contains(where: \.isWhitespace) && !parts[1].hasPrefix(".") && !parts[1].hasSuffix(".")
    }

    /// Returns whether XML cannot carry the scalar, or it is NUL, which PostgreSQL cannot store.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        (scalar.value < 0x20 && ![0x09, 0x0A, 0x0D].contains(scalar.value))
            || scalar.value == 0xFFFE || scalar.value == 0xFFFF
    }
}
