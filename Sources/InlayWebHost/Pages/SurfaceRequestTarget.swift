public import Foundation

/// The target of a request.
@_spi(Inlay) public enum SurfaceRequestTarget: Hashable, Sendable {
    /// The page of a surface.
    case page(surface: String)
    /// A file of the page of a surface.
    case asset(surface: String, name: String)
    /// An image or a font, which the host fetches.
    case media(URL)
    /// A file of a surface's own content.
    case content(surface: String, path: String)
    /// An address outside that a document of the content loads through its host.
    case outside(surface: String, address: String)
    /// A script or style that the host adds to every frame.
    case frameAsset(surface: String, name: String)
    /// An address with the right secret that no surface has: the decoded segments after the secret.
    case other([String])
    /// Anything else, a wrong secret included.
    case nothing
}
