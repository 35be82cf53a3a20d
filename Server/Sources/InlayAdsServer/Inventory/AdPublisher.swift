import InlayServerCore
@_spi(Inlay) import InlayWire

/// The owner of apps that show ads: the account that an app names at initialisation.
package struct AdPublisher: AdRecord {
    package static let table = AdRecordTable.publishers

    /// A UUID in lower case, which the app sends as `pubID`.
    package let id: AdPublisherID
    package var name: String
    package var isEnabled: Bool

    /// Creates a publisher; by default with a new UUID.
    package init(id: AdPublisherID = .make(), name: String, isEnabled: Bool = true) {
        self.id = id
        self.name = name
        self.isEnabled = isEnabled
    }

    package func checked() throws -> Self {
        Self(id: try id.checked(), name: try AdText.name(name), isEnabled: isEnabled)
    }
}

/// The id of an ``AdPublisher``; unique in all environments.
package struct AdPublisherID: AdUUID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}
