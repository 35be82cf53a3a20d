import Foundation
import InlaySQL

/// A private key as it lies in a room's table.
struct SealedKey: Sendable {
    /// The values of its row's primary key, in the order of the room's own statements.
    let names: [SQLValue]
    /// What it was sealed for: opened for anything else it is refused.
    let place: String
    let sealed: Data
}
