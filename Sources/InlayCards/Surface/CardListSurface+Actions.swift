import Foundation
import InlayCore
@_spi(Inlay) import InlayCardsView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

extension CardListSurface {
    func dismiss(_ id: String) async {
        guard card(id) != nil else { return }
        do {
            let ticket = try await cards.dismiss(id, in: containerID)
            done(id, .dismissed)
            await report(.dismissed(card: id))
            confirm(ticket) { .dismissFailed(card: id, $0) }
        } catch {
            await failed(.dismissFailed(card: id, error))
        }
    }

    /// Snoozes a card for the time of the snooze button, or opens the snooze picker when the button has none.
    func snooze(_ id: String, _ path: CardNodePath) async {
        guard case .snoozeButton(let button)? = card(id)?.layout.node(at: path) else { return }
        guard let seconds = button.seconds, seconds >= 0 else { return await openSnooze(id) }
        // At most a hundred years, so that the sum cannot overflow.
        await snooze(
            id, until: cards.engine.session.serverClock.now() + .seconds(min(seconds, 3_155_760_000)))
    }

    func openSnooze(_ id: String) async {
        guard card(id) != nil else { return }
        list.overlay = .snooze(card: id)
        await record(.snoozeOptionsDisplayed, card: id)
    }

    func cancelSnooze(_ id: String) async {
        guard case .snooze(id, _)? = list.overlay else { return }
        list.overlay = nil
        await record(.snoozeOptionsCanceled, card: id)
    }

    func snooze(_ id: String, until moment: Timestamp) async {
        guard card(id) != nil else { return }
        guard moment > cards.engine.session.serverClock.now() else {
            list.overlay = .snooze(card: id, problem: configuration.text(.snoozeInThePast))
            return
        }
        do {
            let ticket = try await cards.snooze(id, in: containerID, until: moment)
            done(id, .snoozed(until: moment))
            await report(.snoozed(card: id, until: moment))
            confirm(ticket) { .snoozeFailed(card: id, $0) }
        } catch {
            await failed(.snoozeFailed(card: id, error))
        }
    }

    func submit(_ id: String, _ path: CardNodePath, _ entered: [String: String], in view: SurfaceViewID) async
    {
        guard let layout = card(id)?.layout, case .submitButton(let button)? = layout.node(at: path) else {
            return
        }
        let locale = Locale(identifier: views[view]?.environment.locale ?? "en")
        let outcome = CardValidation.outcome(
            of: layout.nodes(submittedAt: path), entered: entered, buttonValues: button.values,
            decimalSeparator: locale.decimalSeparator ?? ".")
        list.problems[id] = outcome.isValid ? nil : outcome.problems
        guard outcome.isValid else { return }
        // The value of an input replaces the button's value with the same name.
        let values = button.values.merging(outcome.values) { _, entered in entered }
        do {
            let ticket = try await cards.submit(
                id, in: containerID, button: button.buttonName, values: values)
            done(id, .completed)
            let form = FilledForm(card: id, subview: path.subview, entered: entered)
            confirm(ticket, { .submitFailed(card: id, $0) }, refused: form) { surface in
                await surface.report(.submitted(card: id, button: button.buttonName))
                // The link is followed only after the server has the submission.
                if let action = button.action { await surface.follow(id, action, .submitButton, in: view) }
            }
        } catch {
            await failed(.submitFailed(card: id, error))
        }
    }

    /// Closes the overlay of a card that has left the list, and shows a toast.
    private func done(_ id: String, _ kind: CardToast.Kind) {
        (list.problems[id], list.entered[id]) = (nil, nil)
        switch list.overlay {
        case .subviews(id, _), .snooze(id, _), .feedback(id, _): list.overlay = nil
        default: break
        }
        toast(kind)
    }

    /// Shows the refused form again as it was filled in, with the server's messages beside the fields.
    private func reopen(_ form: FilledForm, _ problem: Problem) {
        guard let fields = problem.fields else { return }
        list.problems[form.card] = fields.byField
        list.entered[form.card] = form.entered
        if let subview = form.subview, list.overlay == nil {
            list.overlay = .subviews(card: form.card, ids: [subview])
        }
    }

    private func failed(_ outcome: CardListSurface.Outcome) async {
        toast(.failed())
        await report(outcome)
    }

    /// Waits for the server in the background. An action that is stored, but could not be sent yet, is no failure.
    private func confirm(
        _ ticket: CardActionTicket,
        _ failure: @escaping @Sendable (CardActionError) -> CardListSurface.Outcome,
        refused form: FilledForm? = nil,
        then success: @escaping @Sendable (CardListSurface) async -> Void = { _ in }
    ) {
        // Ends with the server's answer or the failure to send; log-out cancels it.
        cards.engine.session.work.start { [weak self] in
            do throws(CardActionError) {
                try await ticket.confirmed()
                if let self { await success(self) }
            } catch {
                guard error.code != .notSent, error.code != .loggedOut else { return }
                if let problem = error.problem, let form { await self?.reopen(form, problem) }
                await self?.failed(failure(error))
            }
        }
    }
}

/// A form as the user filled it in.
private struct FilledForm: Sendable {
    let card: String
    /// The subview of the form; `nil` for the card's top level.
    let subview: String?
    /// The texts by input name.
    let entered: [String: String]
}
