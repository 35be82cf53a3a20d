import InlayWire

/// A place in the app where cards appear.
package struct CardContainer: Codable, Hashable, Sendable, Identifiable {
    /// Chosen by the team, and named by the app: letters, digits, `_`, `-` and `.`, at most 64.
    package let id: String
    /// For the team.
    package var name: String
    /// How it looks; `nil` for Inlay's own look.
    package var themeID: String?
    /// Whether templates that name no container appear here. One container of an environment does.
    package let isDefault: Bool
    /// Grows with every change of how it looks.
    package let appearanceVersion: Int64
    /// When it was made.
    package let createdAt: Timestamp
}
