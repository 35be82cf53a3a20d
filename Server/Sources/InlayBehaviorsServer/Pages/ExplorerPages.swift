import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The event explorer: counts of filtered events over time, grouped by a property.
struct ExplorerPages: Sendable {
    let services: ServerServices
    let behaviors: BehaviorsFeature

    /// The events of one day or hour.
    private struct Span {
        let spanName: String
        let isUnfinished: Bool
        let total: String
    }

    private struct Group {
        let groupName: String
        let total: String
        let share: String
    }

    private struct Model {
        let fields: [FieldView]
        let names: EventNames
        let explorerPath: String
        let drawing: String
        let drawingText: String
        let groups: [Group]
        let hasGroups: Bool
        let groupTitle: String
        let isGrouped: Bool
        let spans: [Span]
        let spanTitle: String
        let spanCaption: String
        let zoneName: String
        let total: String
        let isPartial: Bool
        let rows: [EventLine]
    }

    static func routes(_ services: ServerServices, _ behaviors: BehaviorsFeature) -> [WorkbenchRoute] {
        let pages = ExplorerPages(services: services, behaviors: behaviors)
        return [.page("e/:environment/behaviors/explorer") { try await pages.explore($0) }]
    }

    private func explore(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let query = ExplorerQuery(request.query, now: request.now, in: request.zone)
        let environmentID = try request.environmentID
        let events = behaviors.events
        let series = try await events.series(
            environmentID, query.filter, in: query.buckets, by: query.grouping)
        let isGrouped = query.grouping != .none
        let before =
            isGrouped ? nil : try await events.series(environmentID, query.filter, in: query.before)
        let now = query.buckets.index(of: request.now)
        let rows = try await events.events(environmentID, query.filter, limit: 20)
        let names = try await events.attributeNames(environmentID, query.filter)
        let all = series.groups.reduce(0) { $0 + $1.total }
        let model = Model(
            fields: query.fields(attributes: names), names: try await EventNames(behaviors, for: request),
            explorerPath: request.address("behaviors", "explorer"),
            drawing: Self.drawing(series, before, query, now),
            drawingText: "\(Count.of(all, "event")) \(query.timeText).",
            groups: series.groups.map { group in
                Group(
                    groupName: query.label(group.label), total: Count.grouped(group.total),
                    share: Count.share(group.total, of: all))
            },
            hasGroups: all > 0, groupTitle: query.groupTitle,
            isGrouped: isGrouped, spans: Self.spans(series, query, now),
            spanTitle: query.isHourly ? "Hour" : "Day",
            spanCaption: query.isHourly ? "Events by hour" : "Events by day", zoneName: request.zone.name,
            total: Count.of(all, "event"),
            isPartial: series.isPartial, rows: rows.map { EventLine($0, for: request) })
        return .page(
            "Event explorer", "behaviors/explorer", model, scripts: ["chart.js", "charts.js"])
    }

    /// Returns the chart as JSON: an area for all events, or bars for groups.
    private static func drawing(
        _ series: BehaviorSeries, _ before: BehaviorSeries?, _ query: ExplorerQuery, _ now: Int?
    ) -> String {
        let lines = series.groups.map {
            ChartDrawing.Line(label: query.label($0.label), counts: $0.counts)
        }
        return ChartDrawing(
            kind: query.grouping == .none ? .area : .bar, labels: query.labels,
            lines: ChartDrawing.grouped(lines), unfinished: now, before: before?.groups.first?.counts
        ).json
    }

    /// Returns the table's rows, the newest first, without hours in the future.
    private static func spans(
        _ series: BehaviorSeries, _ query: ExplorerQuery, _ now: Int?
    ) -> [Span] {
        let labels = query.labels
        let sums = labels.indices.map { place in series.groups.reduce(0) { $0 + $1.counts[place] } }
        return (0...(now ?? labels.count - 1)).reversed().map { place in
            Span(spanName: labels[place], isUnfinished: place == now, total: Count.grouped(sums[place]))
        }
    }
}
