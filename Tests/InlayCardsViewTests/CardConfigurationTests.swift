import Testing

@_spi(Inlay) @testable import InlayCardsView
@_spi(Inlay) @testable import InlaySurface

@Suite struct CardConfigurationTests {
    static let documented: [(CardString, String)] = [
        (.cardListTitle, "Cards"), (.cardSnoozeTitle, "Remind me"),
        (.awaitingFirstCard, "Cards will appear here when there’s something to action."),
        (.allCardsCompleted, "All caught up"), (.votingUseful, "This is useful"),
        (.votingNotUseful, "This isn’t useful"), (.votingFeedbackTitle, "Send feedback"),
        (.cardListFooterMessage, ""), (.noInternetConnectionMessage, "No internet connection"),
        (.dataLoadFailedMessage, "Couldn't load data"), (.tryAgainTitle, "Try again"),
        (.toastCardDismissedMessage, "Card dismissed"), (.toastCardCompletedMessage, "Card completed"),
        (.toastCardSnoozeMessage, "Snoozed until {{time}}"), (.toastCardFeedbackMessage, "Feedback received"),
    ]

    @Test(arguments: documented)
    func `a custom string has its documented default until the app sets it`(row: (CardString, String)) {
        var configuration = CardListConfiguration()
        #expect(configuration.text(row.0) == row.1)
        configuration.setValue("mine", for: row.0)
        #expect(configuration.text(row.0) == "mine")
    }

    @Test func `every string of a container but the footer has a default`() {
        for string in CardString.allCases where string != .cardListFooterMessage {
            #expect(!string.defaultText.isEmpty, "\(string)")
        }
    }

    @Test func `a new configuration of a card list has the default of every setting`() {
        let configuration = CardListConfiguration()
        #expect(configuration.interfaceStyle == .automatic)
        #expect(configuration.enabledUIElements == [.toast, .header])
        #expect(configuration.votingOptions == [])
        #expect(configuration.cardMaxWidth == 0)
        #expect(configuration.cardListRefreshInterval == .seconds(15))
        #expect(configuration.runtimeVariableResolutionTimeout == .seconds(5))
        #expect(configuration.presentationStyle == .withoutButton)
        #expect(configuration.customHeader == nil)
    }

    @Test func `no element is the empty set, and adds nothing to others`() {
        let none = CardListConfiguration.UIElements(rawValue: 0)
        #expect(none == [])
        #expect(none.union(.toast) == .toast)
    }

    @Test func `a negative card width becomes none, a narrow one is kept`() {
        var configuration = CardListConfiguration()
        for value in [-10, -Double.infinity, Double.nan, Double.infinity] {
            configuration.cardMaxWidth = value
            #expect(configuration.cardMaxWidth == 0)
        }
        configuration.cardMaxWidth = 150
        #expect(configuration.cardMaxWidth == 150)
    }

    @Test func `a refresh interval is off at zero, else at least a second`() {
        var configuration = CardListConfiguration()
        for (set, read) in [(0.2, 1.0), (0, 0), (-3, 0), (5, 5)] {
            configuration.cardListRefreshInterval = .seconds(set)
            #expect(configuration.cardListRefreshInterval == .seconds(read))
        }
    }
}
