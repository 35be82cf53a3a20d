import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import Testing

@testable import InlayServerCore

@Suite struct TimeLimitsTests {
    @Test
    func `each limit passes at its own moment, in whatever order they were added, and a removed one never`() {
        let loop = EmbeddedEventLoop()
        let limits = TimeLimits(on: loop)
        let passed = NIOLockedValueBox<[Int]>([])
        // 7 and 300 have no common divisor: each moment from 1 to 300 occurs once, and they are not in order.
        for moment in (0..<300).map({ 1 + $0 * 7 % 300 }) {
            let limit = limits.add(loop.now + .seconds(Int64(moment))) {
                passed.withLockedValue { $0.append(moment) }
            }
            if moment.isMultiple(of: 3) { limits.remove(limit) }
        }
        for moment in 1...300 {
            loop.advanceTime(by: .seconds(1))
            let now = passed.withLockedValue { passed in
                defer { passed = [] }
                return passed
            }
            #expect(now == (moment.isMultiple(of: 3) ? [] : [moment]))
        }
    }

    @Test func `limits of the same moment pass together, and a limit that is added later passes too`() {
        let loop = EmbeddedEventLoop()
        let limits = TimeLimits(on: loop)
        let passed = NIOLockedValueBox(0)
        for _ in 0..<2 { _ = limits.add(loop.now + .seconds(1)) { passed.withLockedValue { $0 += 1 } } }
        loop.advanceTime(by: .seconds(1))
        #expect(passed.withLockedValue { $0 } == 2)
        _ = limits.add(loop.now + .seconds(1)) { passed.withLockedValue { $0 += 1 } }
        loop.advanceTime(by: .seconds(1))
        #expect(passed.withLockedValue { $0 } == 3)
    }
}
