public import Foundation

/// A web view of the platform, reduced to what a host needs.
///
/// An adapter forwards the events of its view to the ``WebHost``: messages of the handler ``WebHost/messageHandler``,
/// requests of the scheme ``WebHost/scheme``, navigations, and the end of the web process.
@_spi(Inlay) @MainActor public protocol WebView: AnyObject {
    /// Loads the page at a URL of ``WebHost/scheme``, in place of the current one.
    ///
    /// - Parameters:
    ///   - script: The script that runs in the page before all others, and in none of its frames; it replaces the
    ///     previous one.
    func load(_ address: URL, script: String)

    /// Runs a script in the page, not in its frames; its result is not needed.
    func run(_ script: String)

    /// Opens a URL outside of the app.
    func open(_ address: URL)

    /// Handles a new natural height of the content, in the page's pixels.
    func contentHeightChanged(_ height: Int)
}
