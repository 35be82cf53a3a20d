import InlayServerCore

/// The data of a chart, which `charts.js` draws: counts over spans of time, as areas or as stacked bars.
package struct ChartDrawing: Encodable {
    /// The form in which counts are drawn.
    package enum Kind: String, Encodable {
        /// Areas in front of each other, for example cards sent and completed.
        case area
        /// Stacked bars, whose parts add up to a whole.
        case bar
    }

    /// The counts of one series.
    package struct Line: Encodable {
        let label: String
        let counts: [Int]

        package init(label: String, counts: [Int]) {
            self.label = label
            self.counts = counts
        }
    }

    /// An event in one span, for example a publication.
    package struct Annotation: Encodable {
        let place: Int
        let label: String

        package init(place: Int, label: String) {
            self.place = place
            self.label = label
        }
    }

    /// The maximum number of series, which is the number of colors; ``grouped(_:)`` merges the rest into one.
    static let maximumLines = 6

    let kind: Kind
    let labels: [String]
    let lines: [Line]
    /// The index of the span that is not over yet.
    var unfinished: Int?
    /// The sums of the preceding period, for as many spans.
    var before: [Int]?
    var marks: [Annotation] = []

    package init(
        kind: Kind, labels: [String], lines: [Line], unfinished: Int? = nil, before: [Int]? = nil,
        marks: [Annotation] = []
    ) {
        self.kind = kind
        self.labels = labels
        self.lines = lines
        self.unfinished = unfinished
        self.before = before
        self.marks = marks
    }

    /// The JSON in an attribute of the page.
    package var json: String { (try? JSONColumn.text(self)) ?? "{}" }

    /// Returns the first lines, and one line with the sums of all others.
    package static func grouped(_ lines: [Line]) -> [Line] {
        guard lines.count > maximumLines else { return lines }
        let rest = lines[(maximumLines - 1)...]
        let sums = rest.dropFirst().reduce(rest.first?.counts ?? []) { sums, line in
            zip(sums, line.counts).map { $0 + $1 }
        }
        return lines[..<(maximumLines - 1)] + [Line(label: "\(rest.count) others", counts: sums)]
    }
}
