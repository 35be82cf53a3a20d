import InlaySQL
import InlayWire

/// A theme of an environment, shared by any number of containers.
package struct CardThemeRecord: Codable, Hashable, Sendable, Identifiable {
    /// Unique in its environment.
    package let id: String
    /// For the team.
    package var name: String
    /// The look in light, and in dark when there is no other.
    package var light: CardTheme
    /// The look in dark; `nil` shows the light one.
    package var dark: CardTheme?
    /// Grows with every save.
    package let revision: Int64
    /// When it was saved last.
    package let updatedAt: Timestamp

    init(_ row: SQLRow) throws {
        id = try row.text("id")
        name = try row.text("name")
        light = try CardJSON.value(try row.text("light"))
        dark = try row.optionalText("dark").map { try CardJSON.value($0) }
        revision = try row.int64("revision")
        updatedAt = try row.moment("updated_at")
    }
}
