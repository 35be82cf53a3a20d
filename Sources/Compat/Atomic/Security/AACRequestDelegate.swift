public import Foundation

/// Decides over every connection of the SDK before it is made.
public protocol AACRequestDelegate: AnyObject, Sendable {
    /// Decides over a connection to this address.
    ///
    /// Called on any thread before each request, the WebSocket (`wss://…/socket`) included, and again
    /// when the certificates are checked; it must answer at once.
    func disposition(forAtomicRequest requestUrl: URL) -> AACRequestDisposition
}
