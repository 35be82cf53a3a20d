import InlayTesting
import Testing

@testable import InlayServerCore

@Suite struct WakeupTests {
    @Test(.timeLimit(.minutes(5))) func `a ring ends the sleep under way`() async throws {
        let wakeup = Wakeup()
        async let sleep: Void = wakeup.sleep(atMost: .seconds(3600))
        try await eventually { wakeup.isSleeping }
        wakeup.signal()
        await sleep
    }

    @Test(.timeLimit(.minutes(5))) func `a ring before the sleep is not lost`() async {
        let wakeup = Wakeup()
        wakeup.signal()
        await wakeup.sleep(atMost: .seconds(3600))
    }

    @Test func `a sleep that timed out does not shorten the next one`() async {
        let wakeup = Wakeup()
        for _ in 0..<3 {
            let start = ContinuousClock.now
            await wakeup.sleep(atMost: .milliseconds(50))
            #expect(ContinuousClock.now - start >= .milliseconds(50))
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a cancelled sleep ends at once`() async {
        let wakeup = Wakeup()
        await withTaskGroup { group in
            group.addTask { await wakeup.sleep(atMost: .seconds(3600)) }
            group.cancelAll()
        }
    }
}
