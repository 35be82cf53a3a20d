import Foundation
@_spi(Inlay) public import InlaySurface

extension SurfaceAssets {
    /// The files of a page that shows a device set-up.
    public static let devices = SurfaceAssets(of: .module, styles: ["setup.css"], scripts: ["setup.js"])
}
