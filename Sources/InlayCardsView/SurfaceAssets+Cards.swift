import Foundation
@_spi(Inlay) public import InlaySurface

extension SurfaceAssets {
    /// The files of a page with a list of cards.
    public static let cards = SurfaceAssets(
        of: .module, styles: ["cards.css"], scripts: ["cards.js"],
        modules: [
            "card-arrivals.js", "card-forms.js", "card-images.js", "card-impressions.js", "card-limits.js",
            "card-menu.js", "card-pull.js", "card-toasts.js",
        ])
}
