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
    /// An outside URL that a document of the content loads through its host.
    case outside(surface: String, address: String)
    /// A script or style that the host adds to every frame.
    case frameAsset(surface: String, name: String)
    /// A URL with a valid token that belongs to no surface: the decoded path segments after the token.
    case other([String])
    /// Any other URL, also one with a wrong token.
    case nothing
}
