import Foundation
@_spi(Inlay) public import InlaySurface

extension SurfaceAssets {
    /// The files of a page with a hub.
    public static let hub = SurfaceAssets(of: .module, styles: ["hub.css"], scripts: ["hub.js"])
}
