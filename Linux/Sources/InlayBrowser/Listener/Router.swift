@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWebHost

/// The mapping from a request's path to a destination. An unknown path is `nothing`, and its response is the same as
/// that to a wrong token.
struct Router: Sendable {
    enum Destination: Equatable {
        /// A page, or a file or picture of a page.
        case pages(SurfaceRequestTarget)
        case socket(surface: String)
        /// A file of the engine that all pages share, without a surface's path, so that the shell can use it.
        case engine(name: String)
        case shell(path: String)
        case redirect(to: String)
        case nothing
    }

    let addresses: SurfaceAddresses
    let shell: (@Sendable (String) -> WebContent?)?

    /// Returns the destination of a request target such as `/<token>/cards/home/surface.js`.
    func destination(of target: String) -> Destination {
        switch addresses.target(of: target) {
        case .nothing: .nothing
        case .other(let segments): ours(segments)
        case let target: .pages(target)
        }
    }

    private func ours(_ segments: [String]) -> Destination {
        let file = segments.last ?? ""
        let folder = segments.dropLast().joined(separator: "/")
        if file == "socket", addresses.assets[folder] != nil { return .socket(surface: folder) }
        if folder.isEmpty, SurfaceAssets.engine.names.contains(file) { return .engine(name: file) }
        if shell != nil { return .shell(path: segments.joined(separator: "/")) }
        if folder.isEmpty, file.isEmpty, let first = addresses.assets.keys.min() {
            return .redirect(to: SurfaceAddresses.encoded(first) + "/")
        }
        return .nothing
    }
}
