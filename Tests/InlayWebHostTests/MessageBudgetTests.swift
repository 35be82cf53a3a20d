@_spi(Inlay) import InlayWebHost
import Testing

@Suite struct MessageBudgetTests {
    @Test func `a burst may be four seconds' worth, and then the rate holds`() {
        let start = ContinuousClock.now
        var budget = MessageBudget(perSecond: 10, at: start)
        let burst = (0..<50).filter { _ in budget.spend(at: start) }
        #expect(burst.count == 40)
        let later = start + .milliseconds(500)
        #expect((0..<50).filter { _ in budget.spend(at: later) }.count == 5)
    }

    @Test func `a long silence saves up no more than one burst`() {
        let start = ContinuousClock.now
        var budget = MessageBudget(perSecond: 10, at: start)
        let later = start + .seconds(3_600)
        #expect((0..<90).filter { _ in budget.spend(at: later) }.count == 40)
    }
}
