import InlaySQL
import InlayServerCore
import NIOConcurrencyHelpers

/// An in-memory cache of the JSON of layouts.
///
/// A layout never changes once it is published, so nothing here is ever out of date.
final class LayoutCache: Sendable {
    private struct Key: Hashable {
        let environmentID: EnvironmentID
        let layoutID: String
    }

    /// The maximum number of bytes in the cache; a layout has some kilobytes.
    private static let maximumBytes = 64 << 20

    private struct State {
        var texts: [Key: String] = [:]
        var bytes = 0
    }

    private let state = NIOLockedValueBox(State())

    /// Returns a layout's JSON, and reads it through the connection the first time; `nil` when there is no such layout.
    func json(
        _ environmentID: EnvironmentID, _ templateID: CardTemplateID, _ version: Int64,
        _ connection: any SQLConnection
    ) throws -> String? {
        let key = Key(environmentID: environmentID, layoutID: templateID.layoutID(version))
        if let cached = state.withLockedValue({ $0.texts[key] }) { return cached }
        let row = try connection.row(
            "SELECT layout FROM card_layouts WHERE environment_id = ? AND template_id = ? AND version = ?",
            [.id(environmentID), .id(templateID), .integer(version)])
        guard let text = try row?.text("layout") else { return nil }
        state.withLockedValue { state in
            // A full cache is emptied: this is rare, and simpler than an LRU order on the hottest path.
            if state.bytes + text.utf8.count > Self.maximumBytes { state = State() }
            state.texts[key] = text
            state.bytes += text.utf8.count
        }
        return text
    }
}
