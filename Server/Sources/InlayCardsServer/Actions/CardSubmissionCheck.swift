import Foundation
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The check of submissions against the layouts of their cards, by the rules that the app uses.
struct CardSubmissionCheck: Sendable {
    /// One version of a template.
    struct Layout: Hashable, Sendable {
        let templateID: CardTemplateID
        let version: Int64
    }

    /// The result of a check, and the layout that it was made with.
    struct Verdict: Sendable {
        let layout: Layout
        let refusal: Problem?
    }

    let environmentID: EnvironmentID
    let layouts: LayoutCache

    /// Returns the verdicts on the submissions of a batch, by action id; a card that does not exist has none.
    ///
    /// Submissions are checked before the actions are applied and without a connection: an author's pattern may be
    /// slow, and must block neither the writer nor a reader.
    func verdicts(
        _ userID: UserID, _ actions: [CardAction], _ database: any SQLDatabase
    ) async throws -> [String: Verdict] {
        let submissions = actions.filter { CardEventCheck.isID($0.cardID) && $0.kind.status == .completed }
        guard !submissions.isEmpty else { return [:] }
        let found = try await database.read { connection in
            try submissions.compactMap { action in
                try layout(ofCard: CardID(action.cardID), userID, connection).map { layout in
                    (action, layout, try json(layout, connection))
                }
            }
        }
        var verdicts: [String: Verdict] = [:]
        // Of several actions with one id, the first is applied.
        for (action, layout, json) in found where verdicts[action.id] == nil {
            verdicts[action.id] = Verdict(layout: layout, refusal: try Self.refusal(action.kind, json))
        }
        return verdicts
    }

    /// Returns the refusal of one submission, inside the transaction: for a card that changed since its verdict.
    func refusal(_ kind: CardAction.Kind, _ layout: Layout, _ connection: any SQLConnection) throws
        -> Problem?
    {
        try Self.refusal(kind, json(layout, connection))
    }

    private func layout(
        ofCard id: CardID, _ userID: UserID, _ connection: any SQLConnection
    ) throws -> Layout? {
        try connection.row(
            """
            SELECT template_id, layout_version FROM card_instances
            WHERE environment_id = ? AND user_id = ? AND card_id = ?
            """, [.id(environmentID), .id(userID), .id(id)]
        ).map { Layout(templateID: try $0.id("template_id"), version: try $0.int64("layout_version")) }
    }

    private func json(_ layout: Layout, _ connection: any SQLConnection) throws -> String? {
        try layouts.json(environmentID, layout.templateID, layout.version, connection)
    }

    private static func refusal(_ kind: CardAction.Kind, _ json: String?) throws -> Problem? {
        guard case .submit(let buttonName, let values) = kind, CardInputCheck.fault(in: values) == nil,
            let json
        else { return nil }
        let layout = try JSONDecoder().decode(CardLayout.self, from: Data(json.utf8))
        let problems = CardSubmissionRules.problems(in: layout, buttonName: buttonName, values: values)
        guard !problems.isEmpty else { return nil }
        return Problem(
            .invalidSubmission, status: 422, title: "The submission does not fit its card.",
            detail: problems.map { "\($0.field): \($0.message)" }.joined(separator: " "), fields: problems)
    }
}
