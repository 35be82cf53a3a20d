@_spi(Inlay) import InlayWire
import Testing

@Suite struct CardStatusTests {
    /// The states that may follow each state; all 49 pairs are checked against it.
    private let allowed: [CardStatus: Set<CardStatus>] = [
        .active: [.snoozed, .completed, .dismissed, .cancelled, .expired],
        .embargoed: [.active, .cancelled, .expired],
        .snoozed: [.active, .cancelled, .expired],
    ]

    @Test func `exactly the allowed transitions between the seven states are accepted`() {
        var pairs = 0
        for from in CardStatus.allCases {
            for to in CardStatus.allCases {
                #expect(from.allows(to) == (allowed[from]?.contains(to) ?? false), "\(from) to \(to)")
                pairs += 1
            }
        }
        #expect(pairs == 49)
    }

    @Test func `a closed card never changes again`() {
        for from in CardStatus.allCases where !from.isOpen {
            #expect(CardStatus.allCases.allSatisfy { !from.allows($0) })
        }
    }

    @Test func `three states are open and four are closed`() {
        #expect(CardStatus.allCases.filter(\.isOpen) == [.active, .embargoed, .snoozed])
        #expect(CardStatus.allCases.filter { !$0.isOpen } == [.completed, .dismissed, .cancelled, .expired])
    }
}
