import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The id of a ``CardContainer``, chosen by the team and named by the app.
package struct CardContainerID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }

    /// Whether it has only letters, digits, `_`, `-` and `.`, at most 64: the database refuses some other characters.
    var isWellFormed: Bool { CardLink.isIdentifier(rawValue) }
}

/// A place in the app where cards appear.
package struct CardContainer: Codable, Hashable, Sendable, Identifiable {
    package let id: CardContainerID
    /// For the team.
    package var name: String
    /// Its theme; `nil` for Inlay's own look.
    package var themeID: CardThemeID?
    /// Whether templates that name no container appear here. One container of an environment does.
    package let isDefault: Bool
    /// Grows with every change of how it looks.
    package let appearanceVersion: Int64
    /// The time of its creation.
    package let createdAt: Timestamp
}
