/// A controller of a stack in which each presented the next: what UIKit's `UIViewController` is.
@MainActor protocol StackedController: AnyObject {
    /// The type of all controllers of the stack.
    associatedtype Peer

    /// The one that this one presented.
    var above: Peer? { get }
    /// The one that presented this one.
    var below: Peer? { get }

    /// Presents another one at once; `then` comes when it is there.
    func show(_ next: Peer, then: @escaping @MainActor () -> Void)
    /// Takes away all that stands above this one or, where nothing does, this one itself; `then` comes when it is gone.
    func takeAway(isAnimated: Bool, then: @escaping @MainActor () -> Void)
}

/// Takes one controller out of a stack.
///
/// UIKit takes away what a controller has presented before the controller itself. So all from this one up go, and
/// those that stood over it come back in their order.
@MainActor struct ControllerStack<Controller: StackedController> where Controller.Peer == Controller {
    /// Whether a controller's screens are over, so that it must not come back.
    let hasEnded: (Controller) -> Bool

    func takeOut(_ controller: Controller) {
        var above: [Controller] = []
        while let next = (above.last ?? controller).above { above.append(next) }
        guard !above.isEmpty, let below = controller.below else {
            return controller.takeAway(isAnimated: true) {}
        }
        below.takeAway(isAnimated: false) { restore(above[...], over: below) }
    }

    /// Each comes when the one below it is there: UIKit presents nothing on a controller that is on its way.
    private func restore(_ left: ArraySlice<Controller>, over below: Controller) {
        guard let next = left.first else { return }
        // Asked only now: it may have ended while the others came.
        guard !hasEnded(next) else { return restore(left.dropFirst(), over: below) }
        below.show(next) { restore(left.dropFirst(), over: next) }
    }
}
