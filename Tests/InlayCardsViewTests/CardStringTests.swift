import Foundation
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCardsView
@_spi(Inlay) @testable import InlaySurface

/// The documented custom strings, each on the screen that shows it.
@Suite struct CardStringTests {
    /// Returns the text of all screens that show documented strings.
    private func shown(_ configuration: CardListConfiguration) throws -> String {
        var configuration = configuration
        configuration.enabledUIElements = [.header, .footer, .toast]
        configuration.votingOptions = [.useful, .notUseful]
        var full = Samples.ready([Samples.item("c")])
        full.overlay = .feedback(card: "c")
        full.toasts = [
            CardToast(id: "1", kind: .dismissed), CardToast(id: "2", kind: .completed),
            CardToast(id: "3", kind: .snoozed(until: Samples.now)), CardToast(id: "4", kind: .feedback),
        ]
        let states = [
            full, CardListState(phase: .ready), CardListState(phase: .ready, hadCards: true),
            CardListState(phase: .firstLoadFailed(.noInternet)),
            CardListState(phase: .firstLoadFailed(.dataLoad)),
        ]
        return try states.map { try Samples.outline($0, configuration).text }.joined(separator: "\n")
    }

    @Test(arguments: CardConfigurationTests.documented.map(\.0))
    func `a custom string that the app sets replaces its default`(string: CardString) throws {
        var configuration = CardListConfiguration()
        let before = try shown(configuration)
        configuration.setValue("⟦marker⟧", for: string)
        let after = try shown(configuration)
        #expect(!before.contains("⟦marker⟧") && after.contains("⟦marker⟧"))
        // The app's string must replace the default, which some other screens may also contain.
        if !string.defaultText.isEmpty, string != .toastCardSnoozeMessage {
            let count = { (text: String) in text.components(separatedBy: string.defaultText).count }
            #expect(count(before) > count(after))
        }
    }

    @Test(arguments: CardConfigurationTests.documented.filter { !$0.1.isEmpty && !$0.1.contains("{{") })
    func `a custom string the app does not set shows its documented default`(row: (CardString, String)) throws
    {
        #expect(try shown(CardListConfiguration()).contains(row.1))
    }

    @Test func `the app's own snooze toast may leave out the time or place it anywhere`() {
        func toast(_ text: String) -> String? {
            var configuration = CardListConfiguration()
            configuration.setValue(text, for: .toastCardSnoozeMessage)
            var state = Samples.ready([])
            state.toasts = [CardToast(id: "1", kind: .snoozed(until: Samples.now))]
            return CardListPresenter.present(state, configuration).toasts.first?.message
        }
        #expect(toast("Hidden") == "Hidden")
        #expect(toast("{{time}} it is back")?.hasSuffix(" it is back") == true)
        #expect(toast("{{time}} it is back")?.contains("2027") == true)
    }

    @Test func `a template that does not exist is an error with its name`() throws {
        let renderer = try SurfaceAssets.cards.renderer()
        #expect(throws: SurfaceRenderer.Failure.noTemplate("cards/none")) {
            try renderer.render("cards/none", ["a": "b"])
        }
    }
}
