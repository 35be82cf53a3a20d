import Foundation

/// The completion handler by which an `AACRuntimeVariableDelegate` returns cards with resolved variables.
public typealias AACSessionRuntimeVariablesHandler = @Sendable @MainActor ([AACCardInstance]) -> Void

/// A delegate that resolves the runtime variables of cards.
@MainActor public protocol AACRuntimeVariableDelegate: AnyObject, Sendable {
    /// Called when cards with runtime variables have arrived. The delegate must call the handler with the cards once
    /// their variables are resolved. A second call, or one after the time limit, has no effect.
    ///
    /// When the delegate does not implement this method, every variable has its default value.
    func cardSessionDidRequestRuntimeVariables(
        _ cardsToResolve: [AACCardInstance], completionHandler: @escaping AACSessionRuntimeVariablesHandler)
}

extension AACRuntimeVariableDelegate {
    /// Calls the handler with no cards, so that every variable has its default value at once.
    public func cardSessionDidRequestRuntimeVariables(
        _ cardsToResolve: [AACCardInstance], completionHandler: @escaping AACSessionRuntimeVariablesHandler
    ) {
        completionHandler([])
    }
}

/// A receiver of taps that the app handles.
@MainActor public protocol AACStreamContainerActionDelegate: AnyObject, Sendable {
    /// The action button in the top left was tapped.
    func streamContainerDidTapActionButton(_ streamContainer: AACStreamContainerViewController)
    /// A link button or an image with a payload was tapped.
    func streamContainerDidTapLinkButton(
        _ streamContainer: AACStreamContainerViewController, with action: AACCardCustomAction)
    /// A submit button with a payload was tapped, and the server has accepted the submission.
    func streamContainerDidTapSubmitButton(
        _ streamContainer: AACStreamContainerViewController, with action: AACCardCustomAction)
}

extension AACStreamContainerActionDelegate {
    public func streamContainerDidTapActionButton(_ streamContainer: AACStreamContainerViewController) {}
    public func streamContainerDidTapLinkButton(
        _ streamContainer: AACStreamContainerViewController, with action: AACCardCustomAction
    ) {}
    public func streamContainerDidTapSubmitButton(
        _ streamContainer: AACStreamContainerViewController, with action: AACCardCustomAction
    ) {}
}

/// A receiver of the user's actions on the cards of a container on screen.
@MainActor public protocol AACCardEventDelegate: AnyObject, Sendable {
    /// The user acted on a card, or such an action failed.
    func streamContainer(
        _ streamContainerVc: AACStreamContainerViewController, didTriggerCardEvent event: AACCardEvent)
}
