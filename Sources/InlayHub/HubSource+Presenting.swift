import InlayCore
@_spi(Inlay) import InlayWire

extension HubSource {
    /// Puts a hub on screen: with a page when there is content, otherwise with the status that it waits for content.
    func present(_ request: HubRequest, form: HubPresentation.Form) throws(HubError) -> HubPresentation {
        let presentation = HubPresentation(request, form: form, source: self)
        try enter(presentation)
        return presentation
    }

    /// Puts a hub on screen that was there before.
    func enter(_ presentation: HubPresentation) throws(HubError) {
        guard session.isActive else { throw .loggedOut }
        if policies.isDisabled { throw .disabled(reason: policies.current?.disabledReason) }
        guard presentationSlot.enter(presentation) else { throw .alreadyDisplayed }
        let content: HubContent?
        do throws(HubError) {
            content = try ready(presentation)
        } catch {
            _ = presentationSlot.leave(presentation)
            throw error
        }
        presentation.didEnter()
        stateObservers.change { $0.isDisplaying = true }
        metrics.record("hub-presented", ["form": .string(presentation.form == .modal ? "modal" : "nested")])
        if let content {
            show(content, in: presentation)
        } else {
            retry(presentation)
        }
    }

    /// Takes a hub off screen; false when it was not on it.
    func leave(_ presentation: HubPresentation) -> Bool {
        guard presentationSlot.leave(presentation) else { return false }
        presentation.didLeave()
        stateObservers.change { $0.isDisplaying = false }
        metrics.record("hub-dismissed")
        let library = library
        // Ends when the files that only this hub needed are gone.
        session.work.start { library.prune() }
        return true
    }

    /// Looks for content, and shows it when the hub is still on screen.
    func retry(_ presentation: HubPresentation) {
        presentation.wait(percent: nil)
        // Ends with the update.
        session.work.start { [weak self, weak presentation] in
            guard let self else { return }
            await preloaded()
            guard let waiting = presentation, waiting.page == nil, presentationSlot.current === waiting else {
                return
            }
            let result = await update()
            guard let presentation, presentationSlot.current === presentation, presentation.page == nil else {
                return
            }
            settle(presentation, result)
        }
    }

    /// Returns the content that is shown at once; `nil` when the hub has to wait for an update.
    private func ready(_ presentation: HubPresentation) throws(HubError) -> HubContent? {
        guard settings.syncMode == .nonBlocking else { return nil }
        do throws(HubError) {
            let content = try usableContent()
            _ = try presentation.beginning(in: content)
            return content
        } catch {
            // There is nothing to show yet: the hub shows that it checks for content.
            if error == .noContent || error == .stale { return nil }
            throw error
        }
    }

    private func settle(_ presentation: HubPresentation, _ result: Result<HubContent, HubError>) {
        do throws(HubError) {
            show(try usableContent(), in: presentation)
        } catch {
            // The reason of the failed update says more than `noContent`.
            if case .failure(let reason) = result, error == .noContent {
                presentation.fail(reason)
            } else {
                presentation.fail(error)
            }
        }
    }

    private func show(_ content: HubContent, in presentation: HubPresentation) {
        do throws(HubError) { try presentation.show(content) } catch { presentation.fail(error) }
    }
}

extension HubPresentation {
    /// Shows a new version in a hub that waits for one or has failed without one; a hub with a page keeps its version.
    func contentArrived(_ content: HubContent) {
        // In blocking mode it may be another version than the awaited one; the wait ends with the update itself.
        if source.settings.syncMode == .blocking {
            guard case .failed = state.status else { return }
        } else {
            guard page == nil else { return }
        }
        do throws(HubError) { try show(content) } catch { fail(error) }
    }
}
