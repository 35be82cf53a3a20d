import Foundation
import InlayWire

/// Whose apps show ads: the account that an app names at initialisation.
package struct AdPublisher: AdRecord {
    package static let table = AdRecordTable.publishers

    /// A UUID in lower case, what the app sends as `pubID`.
    package let id: String
    package var name: String
    package var isEnabled: Bool
    package var parentID: String { "" }

    /// A publisher; a new UUID unless one is given.
    package init(id: String = AdRecordID.make(), name: String, isEnabled: Bool = true) {
        self.id = id
        self.name = name
        self.isEnabled = isEnabled
    }

    package func checked() throws -> Self {
        Self(id: try AdRecordID.checked(id), name: try AdText.name(name), isEnabled: isEnabled)
    }
}

/// The UUIDs of publishers and units, and ids of what only people of the team see.
package enum AdRecordID {
    /// A new one, in lower case.
    package static func make() -> String { UUID().uuidString.lowercased() }

    /// The UUID as it is kept, or `nil` for anything else.
    package static func canonical(_ text: String) -> String? {
        guard text.utf8.count == 36, UUID(uuidString: text) != nil else { return nil }
        return text.lowercased()
    }

    static func checked(_ text: String, _ field: String = "id") throws -> String {
        guard let id = canonical(text) else { throw FieldErrors(field, "A UUID.") }
        return id
    }
}
