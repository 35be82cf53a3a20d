@_spi(Inlay) package import InlayDevices
package import InlayPlatform

#if canImport(UIKit)
    package import UIKit

    /// A controller whose view a host fills with the set-up's surface.
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

        func show(_ next: UIViewController, then: @escaping @MainActor () -> Void) {
            present(next, animated: false) { then() }
        }

        func takeAway(isAnimated: Bool, then: @escaping @MainActor () -> Void) {
            dismiss(animated: isAnimated) { then() }
        }
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
                ControllerStack<UIViewController>(hasEnded: hasEnded).takeOut(shown)
            }
        #endif
    }

    #if canImport(UIKit)
        /// Whether a controller is one of the SDK's and its set-up has ended. The app's own are left alone.
        private func hasEnded(_ controller: UIViewController) -> Bool {
            guard let own = controller as? HKSetupViewController else { return false }
            return shown[ObjectIdentifier(own.surface)] == nil
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
