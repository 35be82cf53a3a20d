import InlayServerCore

/// The id of a card, made by the server.
package struct CardID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}
