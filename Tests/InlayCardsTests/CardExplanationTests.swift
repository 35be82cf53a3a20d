@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@Suite struct CardExplanationTests {
    @Test func `every reason for which a card is not shown has its name`() async throws {
        let fixture = try await CardsFixture.start()
        #expect(await fixture.cards.explain("a", in: "c") == .noFeed)
        var embargoed = Sample.instance("embargoed")
        embargoed.status = .embargoed
        var cancelled = Sample.instance("cancelled")
        cancelled.status = .cancelled
        var asleep = Sample.instance("asleep")
        (asleep.status, asleep.snoozedUntil) = (.snoozed, Sample.noon + .seconds(9))
        try fixture.serve(
            Sample.feed(
                4,
                [
                    Sample.instance("first", priority: 1), Sample.instance("second"), embargoed, cancelled,
                    asleep,
                    Sample.instance("over", expires: Sample.noon),
                    Sample.instance("homeless", layout: "gone@1"),
                ]))
        try await fixture.cards.refresh("c")
        let one = CardFilter.priority.equal(to: 1)
        #expect(await fixture.cards.explain("second", in: "c") == .shown(at: 1))
        #expect(await fixture.cards.explain("second", in: "c", filters: [one]) == .filtered([one]))
        #expect(await fixture.cards.explain("nobody", in: "c") == .notInFeed(version: 4))
        #expect(await fixture.cards.explain("embargoed", in: "c") == .embargoed)
        #expect(await fixture.cards.explain("cancelled", in: "c") == .closed(.cancelled))
        #expect(await fixture.cards.explain("asleep", in: "c") == .snoozed(until: Sample.noon + .seconds(9)))
        #expect(await fixture.cards.explain("over", in: "c") == .expired(at: Sample.noon))
        #expect(await fixture.cards.explain("homeless", in: "c") == .unreadable(layoutID: "gone@1"))
        fixture.server.always(InlayPath.cardActions, .failure(.timedOut))
        try await fixture.cards.dismiss("first", in: "c")
        #expect(await fixture.cards.explain("first", in: "c") == .done(.dismissed, isConfirmed: false))
    }
}
