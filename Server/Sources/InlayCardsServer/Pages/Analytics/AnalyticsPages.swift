import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The analytics of cards, of all templates or of one, as pages and as CSV files.
struct AnalyticsPages: Sendable {
    let services: ServerServices
    let cards: CardsFeature

    /// A template's sums, and its completed share as a bar.
    struct Row {
        let rowName: String
        let rowPath: String
        let totals: TotalsView
        let share: String
        /// The width of the bar, 0 to 72 units of its SVG.
        let bar: Int
    }

    private struct Model {
        let chart: ChartModel
        let rows: [Row]
        let hasRows: Bool
        let sendPath: String
    }

    private struct TemplateModel {
        struct SubmittedAnswer {
            let answerUser: String
            let answerPath: String
            let button: String
            let answerValues: String
            let moment: Moment
        }

        let head: TemplateHead
        let chart: ChartModel
        let votes: VotesModel
        let isPublished: Bool
        let answers: [SubmittedAnswer]
        let hasAnswers: Bool
    }

    static func routes(_ services: ServerServices, _ cards: CardsFeature) -> [WorkbenchRoute] {
        let pages = AnalyticsPages(services: services, cards: cards)
        let template = "e/:environment/cards/templates/:template/analytics"
        return [
            .page("e/:environment/cards/analytics") { try await pages.all($0) },
            .page("e/:environment/cards/analytics.csv") { try await pages.file($0, templateID: nil) },
            .page(template) { try await pages.one($0) },
            .page("\(template).csv") {
                try await pages.file($0, templateID: CardTemplateID(try $0.parameter("template")))
            },
        ]
    }

    private func all(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID
        let range = DayRange(request)
        let days = try await cards.numbers.daily(environmentID, days: range.days, in: range.zone)
        let templates = try await cards.templates.list(environmentID)
        let csv = request.address("cards", "analytics.csv") + "?days=\(range.count)"
        let rows = rows(templates, days, request)
        let model = Model(
            chart: ChartModel(range.filled(days), range: range, csvPath: csv), rows: rows,
            hasRows: !rows.isEmpty,
            sendPath: request.address("cards", "templates"))
        return .page("Analytics", "cards/analytics", model, scripts: ["chart.js", "charts.js"])
    }

    private func rows(_ templates: [CardTemplate], _ days: [CardDay], _ request: WorkbenchRequest) -> [Row] {
        var sums: [CardTemplateID: CardTotals] = [:]
        for day in days { sums[day.templateID, default: CardTotals()] += day.totals }
        return templates.map { ($0, sums[$0.id] ?? CardTotals()) }
            .sorted { ($1.1.sent, $0.0.draft.name) < ($0.1.sent, $1.0.draft.name) }
            .map { template, totals in
                Row(
                    rowName: template.draft.name,
                    rowPath: request.address("cards", "templates", template.id.rawValue, "analytics"),
                    totals: TotalsView(totals),
                    share: Count.share(totals.completed, of: totals.sent),
                    bar: totals.sent > 0 ? min(72, 72 * totals.completed / totals.sent) : 0)
            }
    }

    private func one(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID
        let template = try await request.found("template", cards.templates.template)
        let range = DayRange(request)
        let days = try await cards.numbers.daily(
            environmentID, templateID: template.id, days: range.days, in: range.zone)
        let csv =
            request.address("cards", "templates", template.id.rawValue, "analytics.csv")
            + "?days=\(range.count)"
        let answers = try await cards.actions.submissions(
            environmentID, templateID: template.id, limit: 20)
        let versions = try await cards.templates.versions(environmentID, template.id)
        let marks = versions.map { (day: range.zone.day(of: $0.publishedAt), label: "Version \($0.version)") }
        let model = TemplateModel(
            head: TemplateHead(template, tab: "/analytics", for: request),
            chart: ChartModel(range.filled(days), range: range, csvPath: csv, marks: marks),
            votes: VotesModel(days.reduce(into: CardTotals()) { $0 += $1.totals }),
            isPublished: template.isPublished,
            answers: answers.map { Self.answer($0, request) }, hasAnswers: !answers.isEmpty)
        return .page(
            "\(template.draft.name): analytics", "cards/template-analytics", model,
            scripts: ["chart.js", "charts.js"])
    }

    private static func answer(_ submission: CardSubmission, _ request: WorkbenchRequest)
        -> TemplateModel.SubmittedAnswer
    {
        let values = submission.values.sorted { $0.key < $1.key }.map { name, value in
            switch value {
            case .string(let text): "\(name): \(text)"
            case .number(let number): "\(name): \(number.decimalText)"
            case .boolean(let isTrue): "\(name): \(isTrue ? "yes" : "no")"
            }
        }
        return .init(
            answerUser: submission.userID.rawValue,
            answerPath: request.address("users", submission.userID.rawValue),
            button: submission.buttonName ?? "–", answerValues: values.joined(separator: " · "),
            moment: request.moment(submission.receivedAt))
    }

    private func file(_ request: WorkbenchRequest, templateID: CardTemplateID?) async throws
        -> WorkbenchResult
    {
        let range = DayRange(request)
        if templateID != nil {
            _ = try await request.found("template", cards.templates.template)
        }
        let days = try await cards.numbers.daily(
            request.environmentID, templateID: templateID, days: range.days, in: range.zone)
        return .file(
            ChartModel.csv(range.filled(days)), mediaType: "text/csv; charset=utf-8",
            name: "cards-\(range.first.iso)-\(range.last.iso).csv")
    }
}
