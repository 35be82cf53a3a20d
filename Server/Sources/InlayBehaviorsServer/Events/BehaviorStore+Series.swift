import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The counts of events over time, by group.
package struct BehaviorSeries: Hashable, Sendable {
    /// One line of the chart.
    package struct Group: Hashable, Sendable {
        /// The value that the events are grouped by; empty for events without one.
        package let label: String
        package let total: Int
        /// One number for each bucket.
        package let counts: [Int]
    }

    /// The starts of the buckets.
    package let buckets: [Timestamp]
    /// The groups, the largest first; at most 20, and the rest as a last group labelled ``other``.
    package let groups: [Group]
    /// Whether there were more events than one query scans, see ``BehaviorStore/maximumScannedEvents``.
    package let isPartial: Bool

    /// The label of the group of all groups after the first 20.
    package static let other = "(other)"
}

/// The property that events are grouped by.
package enum BehaviorGrouping: Hashable, Sendable {
    case none
    case name
    case code
    case campaign
    case attribute(String)
}

extension BehaviorStore {
    private static let maximumBuckets = 1_000
    private static let maximumGroups = 20

    /// Counts the events that match a filter in each bucket; throws `invalid-value` for more than 1,000 buckets.
    ///
    /// The filter's own `from` and `until` are ignored.
    package func series(
        _ environmentID: EnvironmentID, _ filter: BehaviorFilter, in buckets: TimeBuckets,
        by grouping: BehaviorGrouping = .none
    ) async throws -> BehaviorSeries {
        guard buckets.count > 0 else {
            throw Problem.invalidValue("time", "The end lies after the start.")
        }
        guard buckets.count <= Self.maximumBuckets else {
            throw Problem.invalidValue("time", "At most \(Self.maximumBuckets) spans; choose longer ones.")
        }
        var filter = filter
        (filter.from, filter.until) = (buckets.from, buckets.until)
        let condition = filter.condition(environmentID)
        var tally = Tally(buckets: buckets.count)
        if case .attribute(let name) = grouping {
            tally = try await database.read { [tally] connection in
                var tally = tally
                let isWhole = try Self.scan("attributes", condition, in: connection) { row in
                    guard let slot = buckets.index(of: try row.moment("happened_at")) else { return }
                    let pairs = AttributeText.pairs(try row.text("attributes"))
                    tally.add(pairs.first { $0.name == name }?.value ?? "", slot, 1)
                }
                tally.isPartial = !isWhole
                return tally
            }
        } else {
            let query = Self.counts(by: grouping, in: buckets, where: condition)
            tally = try await database.read { [tally] connection in
                var tally = tally
                for row in try connection.rows(query.sql, query.arguments) {
                    tally.add(try row.optionalText("label"), try row.int("slot"), try row.int("n"))
                }
                return tally
            }
        }
        return BehaviorSeries(
            buckets: buckets.starts, groups: tally.groups(maximum: Self.maximumGroups),
            isPartial: tally.isPartial)
    }

    /// Returns the query for the counts by bucket and label.
    ///
    /// Senders choose names and campaigns, so only the largest have rows of their own; the label of the rest is `NULL`.
    private static func counts(
        by grouping: BehaviorGrouping, in buckets: TimeBuckets,
        where condition: (sql: String, arguments: [SQLValue])
    ) -> (sql: String, arguments: [SQLValue]) {
        let place = buckets.expression("happened_at")
        var sql = """
            SELECT \(place.sql) AS slot, \(label(grouping)) AS label, COUNT(*) AS n
            FROM behavior_events WHERE \(condition.sql) GROUP BY 1, 2
            """
        if grouping == .name || grouping == .campaign {
            sql = """
                WITH counts AS (\(sql)), largest AS (
                    SELECT label FROM counts GROUP BY label ORDER BY SUM(n) DESC, label LIMIT \(maximumGroups))
                SELECT slot, CASE WHEN label IN (SELECT label FROM largest) THEN label END AS label,
                    CAST(SUM(n) AS BIGINT) AS n
                FROM counts GROUP BY 1, 2
                """
        }
        return (sql, place.arguments + condition.arguments)
    }

    private static func label(_ grouping: BehaviorGrouping) -> String {
        switch grouping {
        case .none, .attribute: "''"
        case .name: "name"
        case .code: "CAST(code AS TEXT)"
        case .campaign: "COALESCE(campaign, '')"
        }
    }

    private struct Tally: Sendable {
        let buckets: Int
        var counts: [String: [Int]] = [:]
        /// The counts of labels that are not in `counts`.
        var rest: [Int]
        var isPartial = false

        init(buckets: Int) {
            self.buckets = buckets
            rest = Array(repeating: 0, count: buckets)
        }

        mutating func add(_ label: String?, _ slot: Int, _ count: Int) {
            guard (0..<buckets).contains(slot) else { return }
            // Senders choose the values, so the number of different ones in memory is limited.
            if let label, counts[label] != nil || counts.count < 10_000 {
                counts[label, default: Array(repeating: 0, count: buckets)][slot] += count
            } else {
                rest[slot] += count
            }
        }

        func groups(maximum: Int) -> [BehaviorSeries.Group] {
            let all = counts.map {
                BehaviorSeries.Group(label: $0.key, total: $0.value.reduce(0, +), counts: $0.value)
            }.sorted { ($1.total, $0.label) < ($0.total, $1.label) }
            let rest = all.dropFirst(maximum).reduce(rest) { sum, group in
                zip(sum, group.counts).map { $0 + $1 }
            }
            guard rest.contains(where: { $0 > 0 }) else { return all }
            return all.prefix(maximum) + [
                BehaviorSeries.Group(label: BehaviorSeries.other, total: rest.reduce(0, +), counts: rest)
            ]
        }
    }
}
