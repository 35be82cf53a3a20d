@_spi(Inlay) import InlayAdsView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

extension AdSurface {
    /// Acts on what a page says of an ad. Words about another ad than the one on screen change nothing.
    func act(on event: AdViewEvent, of ad: String) async {
        if event == .closeLanding { return leaveLanding() }
        guard let show = placement.current, AdPath.name(show.id) == ad else { return }
        switch event {
        case .rendered: await show.rendered()
        case .viewable: await show.viewable()
        case .tap(let part, let address): await tapped(part, address, of: show)
        case .close: await show.close()
        case .hide:
            // The creative gave its place up; nobody has to look at a hole until the lock ends.
            if await !show.close() { placement.dismiss() }
        case .card: await cardShown(of: show)
        case .icon: await iconShown(of: show)
        case .video(let phase, let position): await played(phase, at: position, of: show)
        case .failed(let failure): await failed(failure, of: show)
        case .closeLanding: break
        }
    }

    private func tapped(_ part: AdViewEvent.Part, _ address: String?, of show: AdShow) async {
        switch (show.creative, part) {
        case (.html, .creative):
            if let address { follow(address, of: show) }
        case (.video(let video), .icon):
            guard let icon = video.icons.first, let address = icon.clickThrough else { return }
            await show.called(icon.clickTrackers)
            follow(address, of: show, isClick: false)
        case (.video, .companion): await cardTapped(address, of: show)
        case (.video(let video), .video):
            if let address = video.clickThrough { follow(address, of: show) }
        // A video has no creative that could ask for anything, and a creative no parts of the app's.
        default: break
        }
    }

    /// A picture leads where the answer says; a document says itself where its links lead.
    private func cardTapped(_ address: String?, of show: AdShow) async {
        guard over == show.id, let card = show.endCard else { return }
        let asked = if case .image = card.content { String?.none } else { address }
        guard let address = asked ?? show.endCardLink else { return }
        await show.called(card.clickTrackers)
        follow(address, of: show)
    }

    /// The end card is on screen; counts once, however many pages report it and however often.
    private func cardShown(of show: AdShow) async {
        guard over == show.id, seenCard != show.id else { return }
        seenCard = show.id
        await show.called(show.endCard?.views ?? [])
    }

    /// The mark is on screen; counts once as well.
    private func iconShown(of show: AdShow) async {
        guard case .video(let video) = show.creative, placement.state == .shown, seenIcon != show.id else {
            return
        }
        seenIcon = show.id
        await show.called(video.icons.first?.views ?? [])
    }

    private func played(_ phase: AdViewEvent.Phase, at position: Int, of show: AdShow) async {
        guard case .video(let video) = show.creative else { return }
        guard phase != .progress else {
            return await show.progressed(to: .milliseconds(position))
        }
        // A rewarded video has no way past its end.
        if phase == .skip, show.type == .rewarded || video.skipOffset == nil { return }
        if phase == .complete || phase == .skip { over = show.id }
        await show.played(AdEventName(rawValue: phase.rawValue))
    }

    private func failed(_ failure: AdViewEvent.Failure, of show: AdShow) async {
        switch failure {
        case .redirect: await show.failed(.notDrawn("The creative left its frame without a tap."))
        case .late: await show.failed(.notDrawn("The creative drew nothing in time."))
        case .heavy(let burden): await show.failed(.notDrawn("The creative takes too much: \(burden)."))
        case .stall: await show.failed(.video(code: 402, "The player got nothing more."))
        // The file came with the load, so the file itself does not play.
        case .media(let code): await show.failed(.video(code: 405, "The player gave up (\(code))."))
        }
    }
}
