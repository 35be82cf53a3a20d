import InlayWorkbench

/// The votes of users on the cards of one template.
struct VotesModel {
    /// One answer and how many users gave it.
    struct Row {
        let voteLabel: String
        let voteCount: String
        /// The answer's share of all votes.
        let voteShare: String
    }

    let voteRows: [Row]
    let hasVotes: Bool
    /// The summary, for example "12 votes, 75 % useful".
    let votesNote: String

    init(_ totals: CardTotals) {
        let all = totals.votedUp + totals.votedDown
        let answers = [
            ("This is useful", totals.votedUp), ("It’s not relevant", totals.votedNotRelevant),
            ("I see this too often", totals.votedTooOften), ("Something else", totals.votedSomethingElse),
        ]
        voteRows = answers.map { label, count in
            Row(voteLabel: label, voteCount: Count.grouped(count), voteShare: Count.share(count, of: all))
        }
        hasVotes = all > 0
        votesNote =
            "\(Count.grouped(all)) \(all == 1 ? "vote" : "votes"), "
            + "\(Count.share(totals.votedUp, of: all)) useful"
    }
}
