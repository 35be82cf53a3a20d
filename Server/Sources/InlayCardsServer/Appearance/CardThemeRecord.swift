import InlaySQL
import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The id of a ``CardThemeRecord``; unique in its environment.
package struct CardThemeID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}

/// A theme of an environment, shared by any number of containers.
package struct CardThemeRecord: Codable, Hashable, Sendable, Identifiable {
    package let id: CardThemeID
    /// The name in the Workbench, for the team.
    package var name: String
    /// The look in light mode, and in dark mode when `dark` is `nil`.
    package var light: CardTheme
    /// The look in dark mode; `nil` shows `light`.
    package var dark: CardTheme?
    /// Grows with every save.
    package let revision: Int64
    /// The time of the last save.
    package let updatedAt: Timestamp

    init(_ row: SQLRow) throws {
        id = try row.id("id")
        name = try row.text("name")
        light = try JSONColumn.value(try row.text("light"))
        dark = try row.optionalText("dark").map { try JSONColumn.value($0) }
        revision = try row.int64("revision")
        updatedAt = try row.moment("updated_at")
    }
}
