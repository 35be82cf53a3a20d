/// A controller of a stack in which each controller has presented the next one, such as UIKit's `UIViewController`.
@MainActor protocol StackedController: AnyObject {
    /// The type of all controllers of the stack.
    associatedtype Peer

    /// The controller that this controller has presented.
    var above: Peer? { get }
    /// The controller that has presented this controller.
    var below: Peer? { get }

    /// Presents another controller without an animation and then calls `completion`.
    func present(_ next: Peer, completion: @escaping @MainActor () -> Void)
    /// Dismisses all controllers above this one or, if there are none, this controller itself; then calls
    /// `completion`.
    func dismiss(isAnimated: Bool, completion: @escaping @MainActor () -> Void)
}

/// The removal of one controller from a stack.
///
/// UIKit dismisses everything that a controller has presented before the controller itself. So the controller and all
/// controllers above it are dismissed, and those above it are then presented again in their order.
@MainActor struct ControllerStack<Controller: StackedController> where Controller.Peer == Controller {
    /// Whether a controller's set-up has ended, so that the controller must not be presented again.
    let hasEnded: (Controller) -> Bool

    func remove(_ controller: Controller) {
        var above: [Controller] = []
        while let next = (above.last ?? controller).above { above.append(next) }
        guard !above.isEmpty, let below = controller.below else {
            return controller.dismiss(isAnimated: true) {}
        }
        below.dismiss(isAnimated: false) { restore(above[...], over: below) }
    }

    /// Presents each controller after the one below it was presented: UIKit cannot present on a controller whose own
    /// presentation has not ended.
    private func restore(_ remaining: ArraySlice<Controller>, over below: Controller) {
        guard let next = remaining.first else { return }
        // Checked only now, because its set-up may have ended while the others were presented.
        guard !hasEnded(next) else { return restore(remaining.dropFirst(), over: below) }
        below.present(next) { restore(remaining.dropFirst(), over: next) }
    }
}
