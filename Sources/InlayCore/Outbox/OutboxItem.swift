package import Foundation
@_spi(Inlay) package import InlayWire

/// An item of a lane that must reach the server.
package struct OutboxItem: Hashable, Sendable, Identifiable {
    /// The item's own id; the server drops copies by it.
    package var id: String
    /// The position in the lane; later items have greater numbers.
    package var sequence: Int64
    /// The time of enqueueing by the server's clock, or the time that the feature gave.
    package var time: Timestamp
    /// The item as JSON, or in the form that its lane's carrier reads.
    package var body: Data
    /// The number of attempts that count against the lane's maximum.
    package var tries = 0
}

/// An item and its outcome, as a feature's settle closure receives it.
package struct OutboxSettlement: Sendable {
    /// The item, still in the table.
    package var item: OutboxItem
    /// The outcome of the item.
    package var outcome: OutboxOutcome
    /// The server's response for the item, if the lane's carrier passes it on.
    package var response: Data?

    package init(item: OutboxItem, outcome: OutboxOutcome, response: Data? = nil) {
        self.item = item
        self.outcome = outcome
        self.response = response
    }
}
