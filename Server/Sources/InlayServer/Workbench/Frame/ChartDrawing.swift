/// What `charts.js` draws: counts over spans of time, as areas or as stacked bars.
struct ChartDrawing: Encodable {
    /// How counts are drawn.
    enum Kind: String, Encodable {
        /// Sums, one over the other.
        case area
        /// Parts of a whole, stacked.
        case bar
    }

    /// The counts of one series.
    struct Line: Encodable {
        let label: String
        let counts: [Int]
    }

    /// Something that happened in one span, for example a publish.
    struct Mark: Encodable {
        let place: Int
        let label: String
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
    var marks: [Mark] = []

    /// As the page's attribute.
    var json: String { (try? CardJSON.text(self)) ?? "{}" }

    /// The first lines, and the rest of them as one.
    static func grouped(_ lines: [Line]) -> [Line] {
        guard lines.count > maximumLines else { return lines }
        let rest = lines[(maximumLines - 1)...]
        let sums = rest.dropFirst().reduce(rest.first?.counts ?? []) { sums, line in
            zip(sums, line.counts).map { $0 + $1 }
        }
        return lines[..<(maximumLines - 1)] + [Line(label: "\(rest.count) others", counts: sums)]
    }
}
