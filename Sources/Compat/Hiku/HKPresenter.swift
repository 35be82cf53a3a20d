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
        /// By their surfaces: each set-up has a controller of its own.
        private var shown: [ObjectIdentifier: HKSetupViewController] = [:]
    #endif

    package init() {}

    package func present(
        _ surface: DeviceSetupSurface, style: SDKHKPresentationStyle, from controller: UIViewController?
    ) {
        #if canImport(UIKit)
            let made = HKSetupViewController(surface)
            shown[ObjectIdentifier(surface)] = made
            let controller = controller ?? Self.topController()
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
            guard let shown = shown.removeValue(forKey: ObjectIdentifier(surface)) else { return }
            if let stack = shown.navigationController {
                stack.setViewControllers(stack.viewControllers.filter { $0 !== shown }, animated: true)
            } else {
                Self.takeOut(shown)
            }
        #endif
    }

    #if canImport(UIKit)
        /// Takes a controller away from among those that stand over each other.
        ///
        /// UIKit takes away what a controller has presented before the controller itself. So all from this one up
        /// go, and those that stood over it come back in their order.
        private static func takeOut(_ controller: UIViewController) {
            var above: [UIViewController] = []
            while let next = (above.last ?? controller).presentedViewController { above.append(next) }
            guard !above.isEmpty, let below = controller.presentingViewController else {
                return controller.dismiss(animated: true)
            }
            below.dismiss(animated: false) {
                var top = below
                for next in above {
                    top.present(next, animated: false)
                    top = next
                }
            }
        }

        /// The controller that is on top of all others: presents when the app names none.
        private static func topController() -> UIViewController? {
            let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
            var top = scenes.flatMap(\.windows).first(where: \.isKeyWindow)?.rootViewController
            while let next = top?.presentedViewController { top = next }
            return top
        }
    #endif
}
