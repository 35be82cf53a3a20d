package import Foundation
package import InlaySQL

/// A sealed private key in a feature's table.
package struct SealedKey: Sendable {
    /// The values of its row's primary key, in the order of the feature's own statements.
    package let names: [SQLValue]
    /// The context that the key was sealed for: opening it for another one fails.
    package let context: String
    package let sealed: Data

    /// Creates the key of a row.
    package init(names: [SQLValue], context: String, sealed: Data) {
        self.names = names
        self.context = context
        self.sealed = sealed
    }
}
