import InlayWire

/// Questions about events: which, how many over time, by what.
struct ExplorerPages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

    private struct Line: Encodable {
        let label: String
        let counts: [Int]
    }

    private struct Drawing: Encodable {
        let labels: [String]
        let lines: [Line]
    }

    private struct Group {
        let groupName: String
        let total: String
        let share: String
    }

    private struct Model {
        let fields: [FieldView]
        let explorerPath: String
        let drawing: String
        let drawingWords: String
        let groups: [Group]
        let hasGroups: Bool
        let groupTitle: String
        let total: String
        let isPartial: Bool
        let rows: [EventLine]
    }

    /// Lines that a chart can carry; the table has them all.
    private static let mostLines = 5

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = ExplorerPages(services: services, stores: stores)
        return [.page("e/:environment/behaviors/explorer") { try await pages.explore($0) }]
    }

    private func explore(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let question = ExplorerQuestion(request.query, now: request.now)
        let environmentID = try request.environmentID
        let events = stores.behaviors.events
        let series = try await events.series(
            environmentID, question.filter, every: question.span, by: question.grouping)
        let rows = try await events.events(environmentID, question.filter, limit: 20)
        let names = try await events.attributeNames(environmentID, question.filter)
        let all = series.groups.reduce(0) { $0 + $1.total }
        let model = Model(
            fields: question.fields(attributes: names),
            explorerPath: request.address("behaviors", "explorer"),
            drawing: Self.drawing(series, question),
            drawingWords: "\(Count.of(all, "event")) in the last \(Count.of(question.days, "day")).",
            groups: series.groups.map { group in
                Group(
                    groupName: question.label(group.label), total: Count.grouped(group.total),
                    share: Count.share(group.total, of: all))
            },
            hasGroups: all > 0, groupTitle: question.groupTitle, total: Count.of(all, "event"),
            isPartial: series.isPartial, rows: rows.map { EventLine($0, for: request) })
        return .page(
            "Event explorer", "behaviors/explorer", model, scripts: ["chart.js", "series.js"])
    }

    private static func drawing(_ series: BehaviorSeries, _ question: ExplorerQuestion) -> String {
        let labels = series.buckets.map { question.isHourly ? $0.hourWords : $0.dayWords }
        let lines = series.groups.prefix(mostLines).map {
            Line(label: question.label($0.label), counts: $0.counts)
        }
        return (try? CardJSON.text(Drawing(labels: labels, lines: lines))) ?? "{}"
    }
}
