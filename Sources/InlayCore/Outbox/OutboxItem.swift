package import Foundation
package import InlayWire

/// One thing that must reach the server.
package struct OutboxItem: Hashable, Sendable, Identifiable {
    /// The item's own id; the server drops copies by it.
    package var id: String
    /// The place in the lane; grows.
    package var sequence: Int64
    /// When it was enqueued, by the server's clock, or the moment its feature gave.
    package var time: Timestamp
    /// The item as JSON, or in the form that its lane's wire reads.
    package var body: Data
    /// How many tries were spent on it.
    package var tries = 0
}
