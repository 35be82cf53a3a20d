package import InlayDevices
package import InlayPlatform

#if canImport(UIKit)
    import UIKit

    /// A controller whose view a host fills with the set-up's surface.
    final class HKSetupViewController: UIViewController {
        let surface: DeviceSetupSurface

        init(_ surface: DeviceSetupSurface) {
            self.surface = surface
            super.init(nibName: nil, bundle: nil)
        }

        @available(*, unavailable) required init?(coder: NSCoder) { nil }

        override var prefersStatusBarHidden: Bool { !surface.look.showsStatusBar }
    }
#endif

/// Presents with UIKit; shows nothing where there is none.
package final class HKPresenter: HKPresenting {
    #if canImport(UIKit)
        private var shown: HKSetupViewController?
    #endif

    package init() {}

    package func present(
        _ surface: DeviceSetupSurface, style: SDKHKPresentationStyle, from controller: UIViewController?
    ) {
        #if canImport(UIKit)
            let made = HKSetupViewController(surface)
            shown = made
            // A controller that is on no stack cannot push: the screens come over it.
            if style == .push, let stack = controller?.navigationController {
                stack.pushViewController(made, animated: true)
            } else {
                controller?.present(made, animated: true)
            }
        #endif
    }

    package func dismiss(_ surface: DeviceSetupSurface) {
        #if canImport(UIKit)
            guard let shown else { return }
            self.shown = nil
            if let stack = shown.navigationController {
                stack.popViewController(animated: true)
            } else {
                shown.dismiss(animated: true)
            }
        #endif
    }
}
