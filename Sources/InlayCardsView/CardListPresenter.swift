@_spi(Inlay) public import InlaySurface
@_spi(Inlay) public import InlayWire

/// The conversion of the state of a list of cards to its view model.
@_spi(Inlay) public struct CardListPresenter {
    let state: CardListState
    let configuration: CardListConfiguration
    let environment: SurfaceEnvironment
    let media: SurfaceMedia
    let now: Timestamp

    /// Returns the view model of a state. Pure: the same arguments give the same view model.
    ///
    /// - Parameters:
    ///   - media: the source of the page's images.
    ///   - now: the time of the server's clock, for the snooze picker.
    public static func present(
        _ state: CardListState, _ configuration: CardListConfiguration = CardListConfiguration(),
        environment: SurfaceEnvironment = SurfaceEnvironment(), media: SurfaceMedia = .throughHost,
        now: Timestamp = Timestamp(microseconds: 0)
    ) -> CardListView {
        CardListPresenter(
            state: state, configuration: configuration, environment: environment, media: media, now: now
        ).view()
    }

    private func view() -> CardListView {
        let items = state.cards.sorted(by: Self.isBefore)
        var view = CardListView(root: root, cards: [], toasts: toasts)
        switch state.phase {
        case .firstLoad:
            view.launch = .init(loading: configuration.text(.loading))
            view.header = launchHeader
            return view
        case .firstLoadFailed(let reason):
            view.launch = .init(failure: failure(reason, isAboveCards: false))
            view.header = launchHeader
            return view
        case .loading where items.isEmpty: view.skeleton = configuration.text(.loading)
        case .failed(let reason): view.failure = failure(reason, isAboveCards: !items.isEmpty)
        case .ready where items.isEmpty: view.empty = empty
        case .loading, .ready: break
        }
        view.header = header
        view.customHeader = configuration.customHeader.map(RichTextHTML.render)
        view.cards = items.map { cardPresenter($0).card() }
        view.arrivals = items.isEmpty ? nil : configuration.text(.newCards)
        view.footer = items.isEmpty ? nil : footer
        view.overlay = overlay
        return view
    }

    /// Whether a card comes before another: by priority, then newest first, then by id, so that the order is stable.
    private static func isBefore(_ left: CardListItem, _ right: CardListItem) -> Bool {
        if left.priority != right.priority { return left.priority < right.priority }
        if left.activeAt != right.activeAt { return left.activeAt > right.activeAt }
        return left.id < right.id
    }

    // MARK: Parts around the cards

    private var header: CardListView.Header? {
        let isOn = configuration.enabledUIElements.contains(.header)
        guard isOn || headerButton != nil else { return nil }
        return .init(
            title: isOn ? configuration.text(.cardListTitle) : nil, button: headerButton,
            refreshLabel: isOn ? configuration.text(.refresh) : nil, isRefreshing: state.isRefreshing)
    }

    /// The header while nothing is loaded: only the button at the top left.
    private var launchHeader: CardListView.Header? {
        headerButton.map { .init(title: nil, button: $0, refreshLabel: nil, isRefreshing: false) }
    }

    private var headerButton: CardListView.Header.Button? {
        switch configuration.presentationStyle {
        case .withoutButton: nil
        case .actionButton(let label): .init(label: label, isBack: false)
        case .contextualButton(.modal): .init(label: configuration.text(.close), isBack: false)
        case .contextualButton(.pushed): .init(label: configuration.text(.back), isBack: true)
        }
    }

    private func failure(_ reason: CardListState.Failure, isAboveCards: Bool) -> CardListView.Failure {
        let message: CardString =
            switch reason {
            case .noInternet: .noInternetConnectionMessage
            case .dataLoad: .dataLoadFailedMessage
            }
        return .init(
            message: configuration.text(message), retry: configuration.text(.tryAgainTitle),
            isAboveCards: isAboveCards)
    }

    private var empty: CardListView.Empty {
        .init(
            message: configuration.text(state.hadCards ? .allCardsCompleted : .awaitingFirstCard),
            isDone: state.hadCards)
    }

    private var footer: String? {
        guard configuration.enabledUIElements.contains(.footer) else { return nil }
        let text = configuration.text(.cardListFooterMessage)
        return text.isEmpty ? nil : text
    }

    private var toasts: [CardListView.Toast] {
        guard configuration.enabledUIElements.contains(.toast) else { return [] }
        return state.toasts.map { toast in
            switch toast.kind {
            case .dismissed: message(toast, configuration.text(.toastCardDismissedMessage))
            case .completed: message(toast, configuration.text(.toastCardCompletedMessage))
            case .feedback: message(toast, configuration.text(.toastCardFeedbackMessage))
            case .snoozed(let moment): message(toast, snoozedText(moment))
            case .failed(let reason):
                message(toast, reason ?? configuration.text(.toastActionFailedMessage), isFailure: true)
            }
        }
    }

    private func message(_ toast: CardToast, _ text: String, isFailure: Bool = false) -> CardListView.Toast {
        .init(id: toast.id, message: text, isFailure: isFailure)
    }

    private func snoozedText(_ moment: Timestamp) -> String {
        VariableTemplate.fill(configuration.text(.toastCardSnoozeMessage)) { name, _ in
            name == "time"
                ? SurfaceDate.text(moment, locale: environment.locale, timeZone: environment.timeZone) : ""
        }
    }

    private var root: SurfaceFrame.Root {
        let choice = CardAppearanceChoice(
            appearance: state.appearance, style: configuration.interfaceStyle, device: environment.colorScheme
        )
        var style = SurfaceTheme.properties(choice.theme, contentSize: environment.contentSize)
        style["--launch-background"] = configuration.launchBackgroundColor.css
        style["--launch-text"] = configuration.launchTextColor.css
        style["--launch-spinner"] = configuration.launchLoadingIndicatorColor.css
        style["--launch-button"] = configuration.launchButtonColor.css
        style["--launch-icon"] = configuration.launchIconColor.css
        if configuration.cardMaxWidth > 0 {
            style["--card-max-width"] = SurfaceTheme.pixels(configuration.cardMaxWidth)
        }
        return SurfaceFrame.Root(
            title: configuration.text(.cardListTitle), colorScheme: choice.colorScheme,
            layoutDirection: environment.layoutDirection, locale: environment.locale, style: style)
    }

    // MARK: Overlay

    /// The overlay; `nil` when its card or subview no longer exists.
    private var overlay: CardListView.Overlay? {
        guard let overlay = state.overlay else { return nil }
        func item(_ id: String) -> CardListItem? { state.cards.first { $0.id == id } }
        switch overlay {
        case .subviews(let card, let ids):
            let presenter = item(card).map(cardPresenter)
            let known = ids.compactMap { presenter?.subview($0) }
            return known.isEmpty ? nil : .init(subviews: known.withLevels)
        case .snooze(let card, let problem):
            return item(card).map { _ in .init(snooze: snooze(card, problem)) }
        case .feedback(let card, let reason):
            return item(card).map { _ in .init(feedback: feedback(card, reason)) }
        }
    }

    private func cardPresenter(_ item: CardListItem) -> CardPresenter {
        CardPresenter(
            item: item, configuration: configuration, media: media, problems: state.problems[item.id] ?? [:],
            entered: state.entered[item.id] ?? [:],
            isBusy: state.busyCards.contains(item.id))
    }

    private func snooze(_ card: String, _ problem: String?) -> SnoozeView {
        let choices = SnoozeChoices(now: now, environment: environment)
        return SnoozeView(
            card: card, title: configuration.text(.cardSnoozeTitle),
            choices: choices.all.map { name, moment in
                SnoozeView.Choice(
                    label: configuration.text(name),
                    detail: SurfaceDate.short(
                        moment, locale: environment.locale, timeZone: environment.timeZone),
                    moment: String(moment.microseconds))
            },
            fieldLabel: configuration.text(.snoozePickerLabel),
            earliest: SurfaceDate.field(now + .seconds(60), timeZone: environment.timeZone),
            value: SurfaceDate.field(choices.suggestion, timeZone: environment.timeZone), problem: problem,
            pastProblem: configuration.text(.snoozeInThePast), confirm: configuration.text(.snoozeConfirm),
            cancel: configuration.text(.cancel))
    }

    private func feedback(_ card: String, _ chosen: CardListConfiguration.FeedbackReason?) -> FeedbackView {
        FeedbackView(
            card: card, title: configuration.text(.votingFeedbackTitle),
            question: configuration.text(.feedbackQuestion),
            reasons: CardListConfiguration.FeedbackReason.allCases.map {
                .init(value: $0.rawValue, label: configuration.text($0.string), isChosen: $0 == chosen)
            },
            comment: chosen == .other
                ? .init(
                    label: configuration.text(.feedbackOtherLabel),
                    limit: CardListConfiguration.FeedbackReason.maximumTextLength,
                    maximumBytes: CardListConfiguration.FeedbackReason.maximumTextBytes,
                    fullNotice: configuration.text(.feedbackIsFull))
                : nil,
            chosen: chosen?.rawValue, submit: configuration.text(.submit), back: configuration.text(.back))
    }
}

extension [SubviewView] {
    /// The subviews with their levels, from 1.
    fileprivate var withLevels: [SubviewView] {
        enumerated().map { offset, view in
            var view = view
            view.level = offset + 1
            return view
        }
    }
}
