import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// An app with ad units.
package struct AdApp: AdRecord {
    package static let table = AdRecordTable.apps

    package let id: AdAppID
    /// The id of the publisher.
    package let parentID: AdPublisherID
    /// The name that bidders get when the request has none.
    package var name: String
    /// The technical name, for example `com.example.harbor`.
    package var bundle: String
    /// The id in the store, which OpenRTB requires as `app.bundle` on iOS. When it is empty, `bundle` is sent.
    package var storeID: String
    /// The page in the store.
    package var storeURL: String
    /// The domain of the app's site, where bidders look for `app-ads.txt`.
    package var domain: String
    /// Whether requests with another bundle are refused.
    package var isBundleChecked: Bool
    package var isEnabled: Bool

    /// An app of a publisher.
    package init(
        id: AdAppID = .make(), publisherID: AdPublisherID, name: String, bundle: String = "",
        storeID: String = "", storeURL: String = "", domain: String = "", isBundleChecked: Bool = false,
        isEnabled: Bool = true
    ) {
        self.id = id
        parentID = publisherID
        self.name = name
        self.bundle = bundle
        self.storeID = storeID
        self.storeURL = storeURL
        self.domain = domain
        self.isBundleChecked = isBundleChecked
        self.isEnabled = isEnabled
    }

    package func checked() throws -> Self {
        var app = self
        app.name = try AdText.name(name)
        app.bundle = try AdText.line(bundle, "bundle")
        app.storeID = try AdText.line(storeID, "storeID")
        app.storeURL = try AdText.link(storeURL, "storeURL")
        app.domain = try AdText.domain(domain, "domain")
        return app
    }
}

/// The id of an ``AdApp``; unique within an environment.
package struct AdAppID: AdUUID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}

/// Checks of the values that operators type into records. Each throws ``FieldErrors`` for an invalid value.
enum AdText {
    /// Returns the name without white space at both ends.
    static func name(_ text: String) throws -> String {
        guard let name = try? Limits.name(text) else { throw FieldErrors("name", "1 to 128 characters.") }
        return name
    }

    /// Checks an id that an operator chose.
    static func id(_ text: String) throws {
        guard (try? Limits.id(text, "id")) != nil else {
            throw FieldErrors("id", "1 to 64 of the letters a–z, A–Z, digits, '-', '_' and '.'.")
        }
    }

    /// Returns the trimmed text: one line of at most `maximum` characters, without control characters.
    static func line(_ text: String, _ field: String, maximum: Int = 256) throws -> String {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.unicodeScalars.count <= maximum,
            !text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
        else { throw FieldErrors(field, "One line of at most \(maximum) characters.") }
        return text
    }

    /// Returns the address: empty, or http or https with a valid host, at most 2,048 bytes.
    static func link(_ text: String, _ field: String) throws -> String {
        do throws(WebAddress.Refusal) {
            let address = try WebAddress(text, maximumBytes: 2_048)
            guard address.url != nil else { throw .host }
            return address.text
        } catch .empty {
            return ""
        } catch {
            throw FieldErrors(field, "An address that begins with https:// or http://; this is \(error).")
        }
    }

    /// Returns the domain in lower case; it may be empty.
    static func domain(_ text: String, _ field: String) throws -> String {
        let text = try line(text, field).lowercased()
        guard text.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "/") }) else {
            throw FieldErrors(field, "A domain, for example example.com.")
        }
        return text
    }

    /// Returns the list without empty entries and duplicates; each entry is one line.
    static func list(_ texts: [String], _ field: String, maximum: Int = 1_000) throws -> [String] {
        var seen: Set<String> = []
        let entries = try texts.map { try line($0, field) }.filter { !$0.isEmpty && seen.insert($0).inserted }
        guard entries.count <= maximum else { throw FieldErrors(field, "At most \(maximum) entries.") }
        return entries
    }

    static func number<Number: Comparable>(
        _ value: Number, _ field: String, _ range: ClosedRange<Number>
    ) throws {
        guard range.contains(value) else {
            throw FieldErrors(field, "From \(range.lowerBound) to \(range.upperBound).")
        }
    }
}
