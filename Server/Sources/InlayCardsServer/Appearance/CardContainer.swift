import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The id of a ``CardContainer``, chosen by the team and named by the app.
package struct CardContainerID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }

    /// Whether the id has only letters, digits, `_`, `-` and `.`, at most 64: the database refuses some other
    /// characters.
    var isWellFormed: Bool { CardLink.isIdentifier(rawValue) }
}

/// A place in the app where cards appear.
package struct CardContainer: Codable, Hashable, Sendable, Identifiable {
    package let id: CardContainerID
    /// The name in the Workbench, for the team.
    package var name: String
    /// The container's theme; `nil` for Inlay's own look.
    package var themeID: CardThemeID?
    /// Whether this container shows the cards of templates that name no container. Each environment has one such
    /// container.
    package let isDefault: Bool
    /// Grows when the container gets another theme, and with every save of its theme.
    package let appearanceVersion: Int64
    /// The time at which the container was created.
    package let createdAt: Timestamp
}
