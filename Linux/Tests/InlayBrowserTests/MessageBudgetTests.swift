import NIOCore
import Testing

@testable import InlayBrowser

@Suite struct MessageBudgetTests {
    @Test func `a burst may be four seconds' worth, and then the rate holds`() {
        let start = NIODeadline.uptimeNanoseconds(1)
        var budget = MessageBudget(perSecond: 10, at: start)
        let burst = (0..<50).filter { _ in budget.spend(at: start) }
        #expect(burst.count == 40)
        let later = start + .milliseconds(500)
        #expect((0..<50).filter { _ in budget.spend(at: later) }.count == 5)
    }

    @Test func `a long silence saves up no more than one burst`() {
        var budget = MessageBudget(perSecond: 10, at: .uptimeNanoseconds(1))
        let later = NIODeadline.uptimeNanoseconds(1) + .hours(1)
        #expect((0..<90).filter { _ in budget.spend(at: later) }.count == 40)
    }
}
