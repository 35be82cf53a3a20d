import InlaySurface
import InlayWire

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
        case .video(let phase, let position): await played(phase, at: position, of: show)
        case .failed(let failure): await failed(failure, of: show)
        case .closeLanding: break
        }
    }

    private func tapped(_ part: AdViewEvent.Part, _ address: String?, of show: AdShow) async {
        if part == .creative {
            // A video has no creative that could ask for anything.
            guard case .html = show.creative, let address else { return }
            return follow(address, of: show)
        }
        guard case .video(let video) = show.creative else { return }
        switch part {
        case .icon:
            guard let icon = video.icons.first, let address = icon.clickThrough else { return }
            await show.called(icon.clickTrackers)
            follow(address, of: show, isClick: false)
        case .companion:
            guard let card = video.endCard?.companion, let address = card.clickThrough ?? video.clickThrough
            else { return }
            await show.called(card.clickTrackers)
            follow(address, of: show)
        default:
            guard let address = video.clickThrough else { return }
            follow(address, of: show)
        }
    }

    private func played(_ phase: AdViewEvent.Phase, at position: Int, of show: AdShow) async {
        guard case .video(let video) = show.creative else { return }
        guard phase != .progress else {
            return await show.progressed(to: .milliseconds(position))
        }
        // A rewarded video has no way past its end.
        if phase == .skip, show.type == .rewarded || video.skipOffset == nil { return }
        let isEnd = phase == .complete || phase == .skip
        if isEnd { over = show.id }
        await show.played(AdEventName(rawValue: phase.rawValue))
        guard isEnd, let card = video.endCard?.companion else { return }
        await show.called(card.views)
    }

    private func failed(_ failure: AdViewEvent.Failure, of show: AdShow) async {
        switch failure {
        case .redirect: await show.failed(.notDrawn("The creative left its frame without a tap."))
        case .stall: await show.failed(.video(code: 402, "The player got nothing more."))
        case .media(let code):
            let reason = await files.failure(of: show.id)
            await show.failed(
                .video(
                    code: reason?.trackerCode ?? 405,
                    "The player gave up (\(code)); \(reason?.text ?? "the file came")"))
        }
    }
}
