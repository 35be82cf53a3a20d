@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWebHost

/// Says what a request's path stands for. Whatever it does not know is `nothing`, and looks the same
/// from outside as a wrong secret.
struct Router: Sendable {
    enum Destination: Equatable {
        /// A page or what belongs to one.
        case pages(SurfaceRequestTarget)
        case socket(surface: String)
        /// A file that every page has, for the shell.
        case engine(name: String)
        case shell(path: String)
        case redirect(to: String)
        case nothing
    }

    let addresses: SurfaceAddresses
    let shell: (@Sendable (String) -> WebContent?)?

    /// The place of a request target such as `/<secret>/cards/home/surface.js`.
    func place(of target: String) -> Destination {
        switch addresses.place(of: target) {
        case .nothing: .nothing
        case .other(let segments): ours(segments)
        case let place: .pages(place)
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
