import Foundation

/// Hands the values of runtime variables to `AACRuntimeVariableDelegate`'s caller.
public typealias AACSessionRuntimeVariablesHandler = @Sendable @MainActor ([AACCardInstance]) -> Void

/// Resolves runtime variables of cards.
@MainActor public protocol AACRuntimeVariableDelegate: AnyObject, Sendable {
    /// Called when cards with runtime variables arrived; the handler must be called with the cards
    /// once their variables are resolved. Calling it again, or too late, has no effect.
    ///
    /// A delegate without this method leaves every variable at its default.
    func cardSessionDidRequestRuntimeVariables(
        _ cardsToResolve: [AACCardInstance], completionHandler: @escaping AACSessionRuntimeVariablesHandler)
}

extension AACRuntimeVariableDelegate {
    /// Leaves every variable at its default, at once.
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
    /// A submit button with a payload was tapped, and the platform has the submission.
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
    /// Something happened to a card.
    func streamContainer(
        _ streamContainerVc: AACStreamContainerViewController, didTriggerCardEvent event: AACCardEvent)
}
