@_spi(Inlay) import InlayWire
import InlayWorkbench

/// A funnel with its result: a bar for each step, whose width is the share of the users who reached it.
struct FunnelView {
    struct Step {
        let number: Int
        let stepName: String
        let stepNote: String?
        let users: String
        /// The share of the first step's users.
        let share: String
        /// The width of the bar in thousandths.
        let bar: Int
        /// The users of the previous step who did not reach this one; `nil` for the first step.
        let lost: String?
    }

    let funnelName: String
    let windowText: String
    let resultText: String
    let steps: [Step]
    let isPartial: Bool
    let canEdit: Bool
    let editPath: String

    init(_ saved: SavedFunnel, _ result: FunnelResult, for request: WorkbenchRequest) {
        let first = result.users.first ?? 0
        funnelName = saved.name
        let window = SpanField(seconds: saved.funnel.windowSeconds)
        windowText = "Within \(window.text)"
        resultText = "\(Count.share(result.users.last ?? 0, of: first)) reached the last step"
        steps = zip(saved.funnel.steps, result.users).enumerated().map { index, pair in
            let before = index > 0 ? result.users[index - 1] : nil
            return Step(
                number: index + 1, stepName: EventNames.text(pair.0), stepNote: Self.note(pair.0),
                users: Count.grouped(pair.1), share: Count.share(pair.1, of: first),
                bar: first > 0 ? 1_000 * pair.1 / first : 0,
                lost: before.map { before in
                    before > 0
                        ? "−\(Count.share(before - pair.1, of: before)) (\(Count.of(before - pair.1, "user")))"
                        : "–"
                })
        }
        isPartial = result.isPartial
        canEdit = request.may(.editor)
        editPath = request.address("behaviors", "funnels", saved.id.rawValue)
    }

    /// Returns the text of a step with its attribute.
    static func text(_ step: Funnel.Step) -> String {
        ([EventNames.text(step)] + (note(step).map { [$0] } ?? [])).joined(separator: ", ")
    }

    private static func note(_ step: Funnel.Step) -> String? {
        step.attribute.map { name in step.value.map { "\(name) is “\($0)”" } ?? "with \(name)" }
    }
}
