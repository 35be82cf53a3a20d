import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The reports of requests, impressions, clicks and earnings, and of refused requests and events.
struct AdReportPages: Sendable {
    let ads: AdsFeature

    /// One line of a table.
    struct Row {
        let lineName: String
        let requests: String
        let fills: String
        let fillShare: String
        let impressions: String
        let clicks: String
        let clickShare: String
        let revenue: String
    }

    private struct Section {
        let sectionTitle: String
        let keyTitle: String
        /// The title of the column of requests in this section; a campaign has no requests.
        let askedTitle: String
        let hasAsked: Bool
        let rows: [Row]
    }

    /// The billing of one bidder.
    private struct BillRow {
        let bidderName: String
        let acknowledged: String
        let outstanding: String
        let givenUp: String
    }

    private struct Model {
        let ranges: [ChoiceView]
        let sums: [SumView]
        let drawing: String
        let drawingText: String
        let hasNumbers: Bool
        let days: Section
        let sections: [Section]
        let bills: [BillRow]
        let hasBills: Bool
    }

    private struct RefusedModel {
        struct Row {
            let reason: String
            let reasonCode: String
            let why: String
            let event: String
            let unit: String
            let times: String
            let last: Moment
        }

        let ranges: [ChoiceView]
        let rows: [Row]
        let hasRows: Bool
    }

    var routes: [WorkbenchRoute] {
        [
            .page("e/:environment/ads/reports") { try await report($0) },
            .page("e/:environment/ads/refused") { try await refused($0) },
        ]
    }

    private func report(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let span = Span(request)
        let environmentID = try request.environmentID
        let found = try await ads.reports.lines(environmentID, by: .day, days: span.days)
        let total = found.reduce(AdDayCount()) { $0 + $1.count }
        let days = span.filled(found)
        var sections: [Section] = []
        for (grouping, title) in [
            (AdReportStore.Grouping.unit, "Unit"), (.campaign, "Campaign"), (.bidder, "Bidder"),
        ] {
            sections.append(try await section(grouping, title, span, environmentID))
        }
        let bills = try await bills(environmentID)
        let model = Model(
            ranges: span.choices, sums: Self.sums(total), drawing: Self.drawing(days),
            drawingText:
                "Requests, fills and impressions on each of the last \(days.count) days: "
                + "\(total.requests), \(total.fills) and \(total.impressions) in all.",
            hasNumbers: total != AdDayCount(),
            days: Section(
                sectionTitle: "By day", keyTitle: "Day", askedTitle: "Requests", hasAsked: true,
                rows: days.reversed().map { Self.row($0.name, $0.count) }),
            sections: sections, bills: bills, hasBills: !bills.isEmpty)
        return .page("Ad reports", "ads/reports", model, scripts: ["chart.js", "charts.js"])
    }

    private func section(
        _ grouping: AdReportStore.Grouping, _ title: String, _ span: Span, _ environmentID: EnvironmentID
    ) async throws -> Section {
        let names = try await names(grouping, environmentID)
        let lines = try await ads.reports.lines(environmentID, by: grouping, days: span.days)
        let rows = lines.compactMap { line -> Row? in
            guard line.key.isEmpty else {
                return Self.row(names[line.key] ?? "\(line.key) (gone)", line.count)
            }
            // All requests of apps are counted in this row, also filled ones: they belong to no bidder and no campaign.
            var count = line.count
            count.requests = 0
            let other = grouping == .bidder ? "No bidder" : "No campaign"
            return count == AdDayCount() ? nil : Self.row(other, count, isAsked: false)
        }
        return Section(
            sectionTitle: "By \(title.lowercased())", keyTitle: title,
            askedTitle: grouping == .bidder ? "Asked" : "Requests", hasAsked: grouping != .campaign,
            rows: rows)
    }

    private func bills(_ environmentID: EnvironmentID) async throws -> [BillRow] {
        let names = try await names(.bidder, environmentID)
        return try await ads.reports.bills(environmentID).map { id, sums in
            func words(_ state: AdNotice.State) -> String { AdAmount.words(nanos: sums[state] ?? 0) }
            return BillRow(
                bidderName: names[id.rawValue] ?? "\(id) (gone)", acknowledged: words(.acknowledged),
                outstanding: words(.waiting), givenUp: words(.failed))
        }.sorted { $0.bidderName < $1.bidderName }
    }

    private func names(
        _ grouping: AdReportStore.Grouping, _ environmentID: EnvironmentID
    ) async throws -> [String: String] {
        func names<Record: AdRecord>(_ type: Record.Type) async throws -> [String: String] {
            let all = try await ads.records.list(environmentID, as: type)
            return Dictionary(all.map { ($0.record.id.rawValue, $0.record.name) }) { first, _ in first }
        }
        switch grouping {
        case .unit: return try await names(AdUnit.self)
        case .campaign: return try await names(AdCampaign.self)
        case .bidder: return try await names(AdBidder.self)
        case .day: return [:]
        }
    }

    private func refused(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let span = Span(request)
        let environmentID = try request.environmentID
        let units = try await names(.unit, environmentID)
        let rows = try await ads.reports.refused(environmentID, days: span.days).map { line in
            let words = AdRefusal(rawValue: line.reason).words
            return RefusedModel.Row(
                reason: words.name, reasonCode: line.reason, why: words.why,
                event: line.event.isEmpty ? "–" : line.event,
                unit: line.unitID.isEmpty ? "–" : units[line.unitID.rawValue] ?? line.unitID.rawValue,
                times: Count.grouped(Int(line.times)), last: request.moment(line.lastAt))
        }
        return .page(
            "Invalid traffic", "ads/refused",
            RefusedModel(ranges: span.choices, rows: rows, hasRows: !rows.isEmpty))
    }

    // MARK: Words

    private static func row(_ name: String, _ count: AdDayCount, isAsked: Bool = true) -> Row {
        Row(
            lineName: name, requests: isAsked ? Count.grouped(Int(count.requests)) : "–",
            fills: Count.grouped(Int(count.fills)),
            fillShare: isAsked ? Count.share(Int(count.fills), of: Int(count.requests)) : "–",
            impressions: Count.grouped(Int(count.impressions)), clicks: Count.grouped(Int(count.clicks)),
            clickShare: Count.share(Int(count.clicks), of: Int(count.impressions)),
            revenue: AdAmount.words(nanos: count.revenueNanos))
    }

    private static func sums(_ total: AdDayCount) -> [SumView] {
        let row = row("", total)
        return [
            .init(sumLabel: "Requests", sumValue: row.requests, sumNote: "for an ad"),
            .init(sumLabel: "Filled", sumValue: row.fills, sumNote: "\(row.fillShare) of requests"),
            .init(sumLabel: "Impressions", sumValue: row.impressions, sumNote: "seen and billed"),
            .init(sumLabel: "Clicks", sumValue: row.clicks, sumNote: "\(row.clickShare) of impressions"),
            .init(sumLabel: "Revenue", sumValue: row.revenue, sumNote: "the ledger's sum"),
        ]
    }

    private static func drawing(_ days: [(name: String, count: AdDayCount)]) -> String {
        func line(_ label: String, _ value: KeyPath<AdDayCount, Int64>) -> ChartDrawing.Line {
            .init(label: label, counts: days.map { Int($0.count[keyPath: value]) })
        }
        return ChartDrawing(
            kind: .area, labels: days.map(\.name),
            lines: [
                line("Impressions", \.impressions), line("Requests", \.requests), line("Filled", \.fills),
            ], unfinished: days.count - 1
        ).json
    }

    /// The days of a report, today included.
    private struct Span {
        let days: ClosedRange<Int64>
        let choices: [ChoiceView]

        init(_ request: WorkbenchRequest) {
            // Bills, budgets and pacing run by days of UTC, whatever the environment's zone.
            let range = DayRange(request.query["days"], now: request.now, in: .utc)
            days = Int64(range.first.number)...Int64(range.last.number)
            choices = range.choices
        }

        /// Every day, oldest first; a day without numbers has zeros.
        func filled(_ lines: [AdReportStore.Line]) -> [(name: String, count: AdDayCount)] {
            let counts = Dictionary(lines.map { ($0.key, $0.count) }) { $0 + $1 }
            return days.map { day in
                (CalendarDay(number: Int(day)).shortText, counts["\(day)"] ?? AdDayCount())
            }
        }
    }
}
