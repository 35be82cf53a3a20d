import InlayServerCore

/// The id of a card, which the server made.
package struct CardID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}
