@_spi(Inlay) import InlayWebHost
import Testing

@Suite struct MessageBudgetTests {
    @Test func `a burst may have the messages of four seconds, and then the rate applies`() {
        let start = ContinuousClock.now
        var budget = MessageBudget(perSecond: 10, at: start)
        let burst = (0..<50).filter { _ in budget.spend(at: start) }
        #expect(burst.count == 40)
        let later = start + .milliseconds(500)
        #expect((0..<50).filter { _ in budget.spend(at: later) }.count == 5)
    }

    @Test func `after a long pause no more than one burst is allowed`() {
        let start = ContinuousClock.now
        var budget = MessageBudget(perSecond: 10, at: start)
        let later = start + .seconds(3_600)
        #expect((0..<90).filter { _ in budget.spend(at: later) }.count == 40)
    }
}
