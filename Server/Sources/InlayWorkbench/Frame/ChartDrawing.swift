import InlayServerCore

/// The data that `charts.js` draws: counts over spans of time, as areas or as stacked bars.
package struct ChartDrawing: Encodable {
    /// The form in which counts are drawn.
    package enum Kind: String, Encodable {
        /// Sums, one over the other.
        case area
        /// Parts of a whole, stacked.
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

    /// Something that happened in one span, for example a publish.
    package struct Annotation: Encodable {
        let place: Int
        let label: String

        package init(place: Int, label: String) {
            self.place = place
            self.label = label
        }
    }

    /// As many colors as the charts have; what is beyond is one series.
    static let maximumLines = 6

    let kind: Kind
    let labels: [String]
    let lines: [Line]
    /// The span that is not over yet.
    var unfinished: Int?
    /// The sums of as many spans before.
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

    /// As the page's attribute.
    package var json: String { (try? JSONColumn.text(self)) ?? "{}" }

    /// The first lines, and the rest of them as one.
    package static func grouped(_ lines: [Line]) -> [Line] {
        guard lines.count > maximumLines else { return lines }
        let rest = lines[(maximumLines - 1)...]
        let sums = rest.dropFirst().reduce(rest.first?.counts ?? []) { sums, line in
            zip(sums, line.counts).map { $0 + $1 }
        }
        return lines[..<(maximumLines - 1)] + [Line(label: "\(rest.count) others", counts: sums)]
    }
}
