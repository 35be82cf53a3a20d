import Foundation
package import InlayServerCore

/// An id that the exchange creates: a UUID in lower case.
package protocol AdUUID: RecordID {}

extension AdUUID {
    /// Returns a new id.
    package static func make() -> Self { Self(UUID().uuidString.lowercased()) }

    /// Returns the id of a request in lower case; `nil` for anything but a UUID.
    static func canonical(_ text: String) -> Self? {
        guard text.utf8.count == 36, UUID(uuidString: text) != nil else { return nil }
        return Self(text.lowercased())
    }

    /// Returns the id as it is stored; throws ``FieldErrors`` for anything but a UUID.
    func checked(_ field: String = "id") throws -> Self {
        guard let id = Self.canonical(rawValue) else { throw FieldErrors(field, "A UUID.") }
        return id
    }
}
