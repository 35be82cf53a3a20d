import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The page of live events.
struct StreamPages: Sendable {
    let services: ServerServices
    let behaviors: BehaviorsFeature

    private struct Model {
        let rows: [EventLine]
        let hasRows: Bool
        let cursor: Int64
        let streamPath: String
        let keysPath: String
    }

    static func routes(_ services: ServerServices, _ behaviors: BehaviorsFeature) -> [WorkbenchRoute] {
        let pages = StreamPages(services: services, behaviors: behaviors)
        return [.page("e/:environment/behaviors/events") { try await pages.stream($0) }]
    }

    /// Returns the page with the newest events, or for the page's script the rows since its cursor.
    private func stream(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let cursor = request.wantsFragment ? Int64(request.query["since"] ?? "") : nil
        let newest = try await behaviors.events.stream(request.environmentID, since: cursor)
        let rows = newest.events.reversed().map { EventLine($0, for: request) }
        let model = Model(
            rows: rows, hasRows: !rows.isEmpty, cursor: newest.cursor,
            streamPath: request.address("behaviors", "events"), keysPath: request.address("settings", "keys"))
        if request.wantsFragment { return .fragment(template: "behaviors/stream-rows", model: model) }
        return .page("Live events", "behaviors/stream", model, scripts: ["stream.js"])
    }
}
