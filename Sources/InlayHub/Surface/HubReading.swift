package import Foundation
@_spi(Inlay) package import InlayHubView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) package import InlayWire

/// The data source of a hub's surface: a presentation of a session, or a preview's folder.
package protocol HubReading: Sendable {
    /// The look that the app wants.
    var appearance: HubAppearance { get }
    /// The rules for requests of pages and for links.
    var access: HubAccess { get }
    /// The pages of the version that is shown.
    var index: HubIndex? { get }

    /// Reports what is shown, now and after every change, until the hub has closed or the task is cancelled.
    func watch(_ changed: @escaping @Sendable (HubScreen) async -> Void) async
    /// The bytes of a file of the version that is shown.
    func file(_ path: String) async throws -> Data

    func goBack() async
    func goForward() async
    /// The reader wants the hub closed.
    func close() async
    func retry() async
    /// Goes where a link leads, or says that the reader is to be asked first.
    func follow(_ link: String) async -> HubPresentation.LinkDecision
    /// The reader agreed to leave for this address.
    func leave(for address: String) async
    /// The page is scrolled so far from its top, in points.
    func scrolled(to top: Double) async
}
