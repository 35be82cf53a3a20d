package import InlaySQL
@_spi(Inlay) package import InlayWire

/// Spans of time that follow each other: days, hours.
///
/// The boundaries are computed in Swift, so that one SQL text serves both engines and no engine needs to know a time
/// zone.
package struct TimeBuckets: Hashable, Sendable {
    /// The start of each span, followed by the end of the last one.
    package let boundaries: [Timestamp]

    /// Spans between these moments, which must be sorted; at least one.
    package init(boundaries: [Timestamp]) { self.boundaries = boundaries }

    /// Equal spans from a moment until another; the last one may end later.
    package init(every span: Duration, from: Timestamp, until: Timestamp) {
        var boundaries = [from]
        while let last = boundaries.last, last < until { boundaries.append(last + span) }
        self.init(boundaries: boundaries)
    }

    /// The number of spans.
    package var count: Int { boundaries.count - 1 }
    /// The start of each span.
    package var starts: [Timestamp] { Array(boundaries.dropLast()) }
    /// The start of the first span.
    package var from: Timestamp { boundaries.first ?? Timestamp(microseconds: 0) }
    /// The end of the last span.
    package var until: Timestamp { boundaries.last ?? Timestamp(microseconds: 0) }

    /// Returns the index of the span that holds a moment, or `nil`.
    package func index(of moment: Timestamp) -> Int? {
        guard moment >= from, moment < until else { return nil }
        var (low, high) = (0, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if boundaries[middle] <= moment { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns an expression for the index of the span in which `column` lies, in units of `unit` microseconds; rows
    /// outside of the spans must be left out by the query.
    ///
    /// Spans of equal length form one branch, so ninety days with a change of clocks need three.
    package func expression(_ column: String, unit: Int64 = 1) -> (sql: String, arguments: [SQLValue]) {
        var parts: [String] = []
        var arguments: [SQLValue] = []
        var index = 0
        while index < count {
            let size = length(index)
            var end = index + 1
            while end < count, length(end) == size { end += 1 }
            parts.append("WHEN \(column) < ? THEN ? + (\(column) - ?) / ?")
            arguments += [
                .integer(boundaries[end].microseconds / unit), .integer(Int64(index)),
                .integer(boundaries[index].microseconds / unit), .integer(max(size / unit, 1)),
            ]
            index = end
        }
        return ("CASE \(parts.joined(separator: " ")) ELSE \(count) END", arguments)
    }

    private func length(_ index: Int) -> Int64 {
        boundaries[index + 1].microseconds - boundaries[index].microseconds
    }
}
