@_spi(Inlay) package import InlayDevices
package import InlayPlatform

#if canImport(UIKit)
    package import UIKit

    /// A view controller in which a host draws the surface of a set-up.
    final class HKSetupViewController: UIViewController {
        let surface: DeviceSetupSurface

        init(_ surface: DeviceSetupSurface) {
            self.surface = surface
            super.init(nibName: nil, bundle: nil)
        }

        @available(*, unavailable) required init?(coder: NSCoder) { nil }

        override var prefersStatusBarHidden: Bool { !surface.appearance.showsStatusBar }
    }

    extension UIViewController: StackedController {
        var above: UIViewController? { presentedViewController }
        var below: UIViewController? { presentingViewController }

        func present(_ next: UIViewController, completion: @escaping @MainActor () -> Void) {
            present(next, animated: false) { completion() }
        }

        func dismiss(isAnimated: Bool, completion: @escaping @MainActor () -> Void) {
            dismiss(animated: isAnimated) { completion() }
        }
    }
#endif

/// A presenter that uses UIKit; without UIKit, it shows nothing.
package final class HKPresenter: HKPresenting {
    #if canImport(UIKit)
        /// The controllers on screen by their surfaces: each set-up has a controller of its own.
        private var controllers: [ObjectIdentifier: HKSetupViewController] = [:]
    #endif

    package init() {}

    package func present(
        _ surface: DeviceSetupSurface, style: SDKHKPresentationStyle, from controller: UIViewController?
    ) {
        #if canImport(UIKit)
            let setup = HKSetupViewController(surface)
            controllers[ObjectIdentifier(surface)] = setup
            let controller = controller ?? Self.topController()
            // A controller without a navigation controller cannot push; it presents.
            if style == .push, let stack = controller?.navigationController {
                stack.pushViewController(setup, animated: true)
            } else {
                controller?.present(setup, animated: true)
            }
        #endif
    }

    package func dismiss(_ surface: DeviceSetupSurface) {
        #if canImport(UIKit)
            guard let setup = controllers.removeValue(forKey: ObjectIdentifier(surface)) else { return }
            if let stack = setup.navigationController {
                stack.setViewControllers(stack.viewControllers.filter { $0 !== setup }, animated: true)
            } else {
                ControllerStack<UIViewController>(hasEnded: hasEnded).remove(setup)
            }
        #endif
    }

    #if canImport(UIKit)
        /// Whether a controller belongs to a set-up that has ended; `false` for the app's own controllers.
        private func hasEnded(_ controller: UIViewController) -> Bool {
            guard let setup = controller as? HKSetupViewController else { return false }
            return controllers[ObjectIdentifier(setup.surface)] == nil
        }

        /// Returns the topmost controller of the key window, which presents when the app passes no controller.
        private static func topController() -> UIViewController? {
            let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
            var top = scenes.flatMap(\.windows).first(where: \.isKeyWindow)?.rootViewController
            while let next = top?.presentedViewController { top = next }
            return top
        }
    #endif
}
