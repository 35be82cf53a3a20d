package import Foundation

/// An item on its way out of the outbox, as a feature's settling sees it.
package struct OutboxSettlement: Sendable {
    /// The item, still in the table.
    package var item: OutboxItem
    /// What became of it.
    package var outcome: OutboxOutcome
    /// What the server's answer held for it, when its wire hands that on.
    package var answer: Data?

    package init(item: OutboxItem, outcome: OutboxOutcome, answer: Data? = nil) {
        self.item = item
        self.outcome = outcome
        self.answer = answer
    }
}
