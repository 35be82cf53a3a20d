@_spi(Inlay) import InlayAdsView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

extension AdSurface {
    /// Acts on an event of an ad that a page reports. An event of an ad that is not on screen has no effect.
    func act(on event: AdViewEvent, of ad: String) async {
        if event == .closeLanding { return leaveLanding() }
        guard let show = placement.current, AdPath.name(show.id) == ad else { return }
        switch event {
        case .rendered: await show.rendered()
        case .viewable: await show.viewable()
        case .tap(let part, let address): await tapped(part, address, of: show)
        case .close: await show.close()
        case .hide:
            // The creative hid itself. The ad ends even while it is locked, because its frame would stay empty.
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
        // A video has no part `creative`, and HTML has no other part.
        default: break
        }
    }

    /// Follows a tap on the end card: a picture has the link of the response, a document the links of its markup.
    private func cardTapped(_ address: String?, of show: AdShow) async {
        guard endedVideoAdID == show.id, let card = show.endCard else { return }
        let markupLink = if case .image = card.content { String?.none } else { address }
        guard let address = markupLink ?? show.endCardLink else { return }
        await show.called(card.clickTrackers)
        follow(address, of: show)
    }

    /// Calls the view trackers of the end card; once, however many pages report it and however often.
    private func cardShown(of show: AdShow) async {
        guard endedVideoAdID == show.id, shownEndCardAdID != show.id else { return }
        shownEndCardAdID = show.id
        await show.called(show.endCard?.views ?? [])
    }

    /// Calls the view trackers of the icon, once as well.
    private func iconShown(of show: AdShow) async {
        guard case .video(let video) = show.creative, placement.state == .shown, shownIconAdID != show.id
        else {
            return
        }
        shownIconAdID = show.id
        await show.called(video.icons.first?.views ?? [])
    }

    private func played(_ phase: AdViewEvent.Phase, at position: Int, of show: AdShow) async {
        guard case .video(let video) = show.creative else { return }
        guard phase != .progress else {
            return await show.progressed(to: .milliseconds(position))
        }
        // A rewarded video cannot be skipped.
        if phase == .skip, show.type == .rewarded || video.skipOffset == nil { return }
        if phase == .complete || phase == .skip { endedVideoAdID = show.id }
        await show.played(AdEventName(rawValue: phase.rawValue))
    }

    private func failed(_ failure: AdViewEvent.Failure, of show: AdShow) async {
        switch failure {
        case .redirect: await show.failed(.notDrawn("The creative left its frame without a tap."))
        case .late: await show.failed(.notDrawn("The creative drew nothing in time."))
        case .heavy(let burden): await show.failed(.notDrawn("The creative takes too much: \(burden)."))
        case .stall: await show.failed(.video(code: 402, "The player got nothing more."))
        // The file was downloaded with the load, so the cause is the file and not the network.
        case .media(let code): await show.failed(.video(code: 405, "The player gave up (\(code))."))
        }
    }
}
