import Foundation
internal import InlayCards
internal import InlayCore
internal import InlayWire

extension AACSession {
    /// Runs an action on a card.
    ///
    /// The card disappears at once. The error is `nil` when the server has accepted the action. After a network error
    /// the action is stored on the device and sent when the network is available: the app need not repeat it.
    public static func onCardAction(
        _ action: AACSessionCardAction, completionHandler: @escaping @MainActor ((any Error)?) -> Void
    ) {
        let (opening, action) = (runtime.required("onCardAction"), SendableCardAction(action))
        // Ends with the server's response, or when the server cannot be reached.
        Task {
            let error = await action.run(opening)
            await MainActor.run { completionHandler(error) }
        }
    }

    /// Fetches the numbers of cards that the user has and has not seen; on failure the handler gets an error.
    public static func userMetrics(
        completionHandler: @escaping @MainActor (AACUserMetrics?, (any Error)?) -> Void
    ) {
        let opening = runtime.required("userMetrics")
        // Ends with the server's response.
        Task {
            do {
                let counts = try await opening.session().cards.counts()
                await MainActor.run { completionHandler(AACUserMetrics(counts), nil) }
            } catch {
                let code: AACSessionUserMetricsError.Code =
                    (error as? CardConnectionError)?.isNetwork ?? false ? .networkError : .dataError
                let converted = AtomicError.make(AACSessionUserMetricsErrorDomain, code.rawValue, error)
                await MainActor.run { completionHandler(nil, converted) }
            }
        }
    }
}

/// A `Sendable` copy of an action, with values in InlayWire's types.
private struct SendableCardAction: Sendable {
    enum Kind: Sendable {
        case dismiss
        case snooze(TimeInterval)
        case submit(String?, [String: CardInputValue]?)
    }

    let container: String
    let card: String
    let kind: Kind

    init(_ action: AACSessionCardAction) {
        (container, card) = (action.containerId, action.cardId)
        switch action.actionType {
        case .dismiss: kind = .dismiss
        case .snooze: kind = .snooze(action.snoozeInterval)
        case .submit: kind = .submit(action.submitButtonName, action.typedValues)
        }
    }

    func run(_ opening: AtomicOpening) async -> NSError? {
        do {
            try await ticket(opening.session().cards).confirmed()
            return nil
        } catch {
            let isNetwork = (error as? CardActionError)?.connectionError?.isNetwork == true
            let code: AACSessionCardActionsError.Code = isNetwork ? .networkError : .dataError
            return AtomicError.make(AACSessionCardActionsErrorDomain, code.rawValue, error)
        }
    }

    private func ticket(_ cards: Cards) async throws(CardActionError) -> CardActionTicket {
        switch kind {
        case .dismiss: return try await cards.dismiss(card, in: container)
        case .snooze(let seconds):
            guard seconds >= 0, seconds <= 1e11 else {
                throw .invalidArgument("snoozeInterval must be 0 seconds or more; it is \(seconds).")
            }
            return try await cards.snooze(card, in: container, for: .microseconds(Int64(seconds * 1_000_000)))
        case .submit(let button, let values):
            guard let values else {
                throw .invalidArgument(
                    "submitValues may hold strings, booleans and numbers, whole ones up to 2^53.")
            }
            return try await cards.submit(card, in: container, button: button, values: values)
        }
    }
}
