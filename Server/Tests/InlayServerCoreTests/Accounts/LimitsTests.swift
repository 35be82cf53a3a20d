@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore

/// The limits of texts that people and backends choose.
@Suite struct LimitsTests {
    @Test func `a name has at most 128 code points, and a combining mark is one`() throws {
        let maximum = "e" + String(repeating: "\u{301}", count: 127)
        #expect(try Limits.name(" \(maximum)\n") == maximum)
        #expect(throws: Problem.self) { try Limits.name(maximum + "\u{301}") }
    }
}
