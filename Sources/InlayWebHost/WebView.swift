public import Foundation

/// A web view of the platform, as far as a host needs one.
///
/// An adapter passes on what its view reports to the ``WebHost``: messages of the handler
/// ``WebHost/messageHandler``, requests of the scheme ``WebHost/scheme``, navigations, and the end of the web process.
@_spi(Inlay) @MainActor public protocol WebView: AnyObject {
    /// Loads the page at an address of ``WebHost/scheme``, in place of the one that is shown.
    ///
    /// - Parameters:
    ///   - script: Runs in the page, in none of its frames, before any other script, and in place of an earlier one.
    func load(_ address: URL, script: String)

    /// Runs a script in the page, not in its frames; its result is not needed.
    func run(_ script: String)

    /// Opens an address outside of the app.
    func open(_ address: URL)

    /// The content has another natural height, in the page's pixels.
    func contentHeightChanged(_ height: Int)
}
