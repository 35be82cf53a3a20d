package import Foundation
@_spi(Inlay) package import InlayHubView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) package import InlayWire

/// The data source of a hub's surface: a presentation of a session, or a preview's folder.
package protocol HubReader: Sendable {
    /// The look that the app wants.
    var appearance: HubAppearance { get }
    /// The rules for requests of pages and for links.
    var access: HubAccess { get }
    /// The pages of the version that is shown.
    var index: HubIndex? { get }

    /// Reports what is shown, now and after every change, until the hub has closed or the task is cancelled.
    func watch(_ changed: @escaping @Sendable (HubScreen) async -> Void) async
    /// Returns the bytes of a file of the version that is shown.
    func file(_ path: String) async throws -> Data

    func goBack() async
    func goForward() async
    /// Closes the hub, as the reader wants.
    func close() async
    func retry() async
    /// Follows a link, or returns that the reader must be asked first.
    func follow(_ link: String) async -> HubPresentation.LinkDecision
    /// Opens an address outside of the hub, as the reader agreed.
    func leave(for address: String) async
    /// Reports how far the page is scrolled from its top, in points.
    func scrolled(to top: Double) async
}
