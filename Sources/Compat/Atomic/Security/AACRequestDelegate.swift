public import Foundation

/// A delegate that permits or refuses every connection of the SDK before it is opened.
public protocol AACRequestDelegate: AnyObject, Sendable {
    /// Returns the decision for a connection to this address.
    ///
    /// Called on any thread before each request, including that of the WebSocket (`wss://…/socket`), and again when
    /// the certificates are checked; must not block.
    func disposition(forAtomicRequest requestUrl: URL) -> AACRequestDisposition
}
