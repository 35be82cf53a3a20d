import InlaySQL
import InlayServerCore
import NIOConcurrencyHelpers

/// The JSON of layouts, in memory.
///
/// A layout never changes once it is published, so nothing here is ever out of date.
final class LayoutCache: Sendable {
    private struct Name: Hashable {
        let environmentID: EnvironmentID
        let layoutID: String
    }

    /// Bytes kept at most; a layout has some kilobytes.
    private static let budget = 64 << 20

    private struct State {
        var texts: [Name: String] = [:]
        var bytes = 0
    }

    private let state = NIOLockedValueBox(State())

    /// The layout's JSON, read through the connection the first time.
    func json(
        _ environmentID: EnvironmentID, _ templateID: CardTemplateID, _ version: Int64,
        _ connection: any SQLConnection
    ) throws -> String? {
        let name = Name(environmentID: environmentID, layoutID: templateID.layoutID(version))
        if let kept = state.withLockedValue({ $0.texts[name] }) { return kept }
        let row = try connection.row(
            "SELECT layout FROM card_layouts WHERE environment_id = ? AND template_id = ? AND version = ?",
            [.id(environmentID), .id(templateID), .integer(version)])
        guard let text = try row?.text("layout") else { return nil }
        state.withLockedValue { state in
            // Full, it starts anew: rare, and simpler than an order of use on the hottest path.
            if state.bytes + text.utf8.count > Self.budget { state = State() }
            state.texts[name] = text
            state.bytes += text.utf8.count
        }
        return text
    }
}
