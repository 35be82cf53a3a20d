import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct RetryRuleTests {
    let rule = RetryRule(first: .seconds(1), maximum: .seconds(60))

    @Test(arguments: [(0, 0.0), (1, 1.0), (2, 2.0), (5, 16.0), (7, 60.0), (1000, 60.0), (Int.max, 60.0)])
    func `the limit doubles with every failure up to the longest`(failures: Int, limit: Double) {
        #expect(rule.delay(failures: failures, random: 1) == .seconds(limit))
    }

    @Test func `the wait is anywhere below the limit`() {
        #expect(rule.delay(failures: 4, random: 0) == .zero)
        #expect(rule.delay(failures: 4, random: 0.5) == .seconds(4))
    }
}
