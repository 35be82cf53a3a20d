import Foundation
@_spi(Inlay) public import InlaySurface

extension SurfaceAssets {
    /// The files of a page with an ad.
    public static let ads = SurfaceAssets(
        of: .module, styles: ["ads.css"], scripts: ["ads.js"],
        modules: ["ad-connection.js", "ad-creative.js", "ad-video.js", "ad-viewability.js"],
        frames: ["ad-network.js", "ad-limits.js", "ad-mraid.js", "ad-frame.js"])
}
