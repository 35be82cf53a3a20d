import Foundation
package import InlayServerCore

/// The id of something that the exchange made: a UUID in lower case.
package protocol AdUUID: RecordID {}

extension AdUUID {
    /// A new one.
    package static func make() -> Self { Self(UUID().uuidString.lowercased()) }

    /// The id that a request names, or `nil` for anything but a UUID.
    static func canonical(_ text: String) -> Self? {
        guard text.utf8.count == 36, UUID(uuidString: text) != nil else { return nil }
        return Self(text.lowercased())
    }

    /// The id as it is kept; throws ``FieldErrors`` for anything but a UUID.
    func checked(_ field: String = "id") throws -> Self {
        guard let id = Self.canonical(rawValue) else { throw FieldErrors(field, "A UUID.") }
        return id
    }
}
