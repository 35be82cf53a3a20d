import Foundation
import InlayBehaviorsServer
import InlayCardsServer
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The first page: today's numbers, recent activity, and the steps to get started.
struct OverviewPages: WorkbenchSection {
    let services: ServerServices
    let cards: CardsFeature
    let behaviors: BehaviorsFeature

    private struct Number {
        let label: String
        let today: String
        let before: String
    }

    private struct Event {
        let eventTitle: String
        let words: String
        let moment: Moment
        let templatePath: String
    }

    private struct Step {
        let label: String
        let why: String
        let path: String
        let isDone: Bool
    }

    private struct Model {
        let environmentName: String
        let numbers: [Number]
        let chart: ChartModel
        let analyticsPath: String
        let events: [Event]
        let hasEvents: Bool
        let entries: [AuditRow]
        let hasEntries: Bool
        let steps: [Step]
        let hasSteps: Bool
        let stepsLeft: String
        let canEdit: Bool
        let newPath: String
        let people: String
        let zoneName: String
    }

    var resources: URL? { Bundle.module.copiedResources }

    var navigation: [NavigationEntry] { [.init("Overview", icon: "overview", folder: "overview")] }

    var pages: [WorkbenchRoute] { [.page("e/:environment/overview") { try await show($0) }] }

    private func show(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID
        let range = DayRange("7", now: request.now, in: request.zone)
        async let dailyNumbers = cards.numbers.daily(environmentID, days: range.days, in: range.zone)
        async let behaviorSeries = behaviors.events.series(
            environmentID, BehaviorFilter(), in: range.zone.days(range.last.adding(-1)...range.last))
        async let latest = cards.events.recent(environmentID, limit: 6)
        async let log = services.audit.entries(environmentID, limit: 6)
        async let userCount = services.users.count(environmentID)
        let days = range.filled(try await dailyNumbers)
        let events = try await latest, entries = try await log, users = try await userCount
        let templates = try await cards.templates.list(environmentID)
        let names = Dictionary(templates.map { ($0.id, $0.draft.name) }) { first, _ in first }
        let steps = try await steps(request, templates, users: users, hasEvents: !events.isEmpty)
        let left = steps.filter { !$0.isDone }.count
        let analytics = request.address("cards", "analytics")
        let model = Model(
            environmentName: request.environment?.name ?? "",
            numbers: Self.numbers(days, try await behaviorSeries),
            chart: ChartModel(days, range: range, csvPath: analytics + ".csv?days=7"),
            analyticsPath: analytics + "?days=7", events: events.map { Self.event($0, names, request) },
            hasEvents: !events.isEmpty, entries: entries.map { AuditRow($0, for: request) },
            hasEntries: !entries.isEmpty, steps: steps, hasSteps: left > 0, stepsLeft: "\(left) left",
            canEdit: request.may(.editor), newPath: request.address("cards", "templates", "new"),
            people: Count.of(users, "user"), zoneName: request.zone.name)
        return .page("Overview", "overview", model, scripts: ["chart.js", "charts.js"])
    }

    private static func numbers(
        _ days: [(day: CalendarDay, totals: CardTotals)], _ behaviors: BehaviorSeries
    ) -> [Number] {
        let events = behaviors.groups.first?.counts ?? [0, 0]
        let today = days.last?.totals ?? CardTotals()
        let yesterday = days.dropLast().last?.totals ?? CardTotals()
        func number(_ label: String, _ value: KeyPath<CardTotals, Int>) -> Number {
            Number(
                label: label, today: Count.grouped(today[keyPath: value]),
                before: "\(Count.grouped(yesterday[keyPath: value])) yesterday")
        }
        return [
            number("Sent", \.sent), number("Displayed", \.displayed), number("Completed", \.completed),
            number("Dismissed", \.dismissed), number("Snoozed", \.snoozed),
            Number(
                label: "Events", today: Count.grouped(events[1]),
                before: "\(Count.grouped(events[0])) yesterday"),
        ]
    }

    private static func event(
        _ record: CardEventRecord, _ names: [CardTemplateID: String], _ request: WorkbenchRequest
    ) -> Event {
        let audience =
            switch record.request.target {
            case .all: "everyone"
            case .users(let ids): ids.count == 1 ? ids[0].rawValue : Count.of(ids.count, "user")
            case .profile(let field, let value): "those with \(field) “\(value)”"
            case .segment(let id): "the segment \(id)"
            }
        let made = Count.of(record.cards, "card") + state(of: record)
        let title = record.templateIDs.compactMap { names[$0] }.joined(separator: ", ")
        let path = record.templateIDs.first.map { request.address("cards", "templates", $0.rawValue) }
        return Event(
            eventTitle: title.isEmpty ? record.request.name : title, words: "\(made) for \(audience)",
            moment: request.moment(record.createdAt),
            templatePath: path ?? request.address("cards", "templates"))
    }

    /// Returns the rest of a delivery, as a text behind the number of its cards.
    private static func state(of record: CardEventRecord) -> String {
        if record.isCancelled { return " before it was cancelled" }
        if record.failure != nil {
            return record.isComplete ? " before it failed" : " so far, after an error"
        }
        return record.isComplete ? "" : " so far"
    }

    private func steps(
        _ request: WorkbenchRequest, _ templates: [CardTemplate], users: Int, hasEvents: Bool
    ) async throws -> [Step] {
        let environmentID = try request.environmentID
        let keys = try await services.environments.apiKeys(environmentID).filter { $0.revokedAt == nil }
        return [
            Step(
                label: "Create an API key",
                why: "It identifies your app, and your users' tokens are verified with it.",
                path: request.address("settings", "keys"), isDone: !keys.isEmpty),
            Step(
                label: "Write a card and publish it", why: "Start from a notice, a question or a reminder.",
                path: request.address("cards", "templates", "new"),
                isDone: templates.contains { $0.isPublished }),
            Step(
                label: "Connect your app", why: "Its user appears here with the first request.",
                path: request.address("users"), isDone: users > 0),
            Step(
                label: "Send a card", why: "Send it to yourself first; it is on screen at once.",
                path: request.address("cards", "templates"), isDone: hasEvents),
        ]
    }
}
