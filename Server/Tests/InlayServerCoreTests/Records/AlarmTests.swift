import Testing

@testable import InlayServerCore

@Suite struct AlarmTests {
    @Test(.timeLimit(.minutes(5))) func `a ring ends the sleep under way`() async {
        let alarm = Alarm()
        async let sleep: Void = alarm.sleep(atMost: .seconds(3600))
        alarm.ring()
        await sleep
    }

    @Test(.timeLimit(.minutes(5))) func `a ring before the sleep is not lost`() async {
        let alarm = Alarm()
        alarm.ring()
        await alarm.sleep(atMost: .seconds(3600))
    }

    @Test func `a sleep that ran its time leaves the next one whole`() async {
        let alarm = Alarm()
        for _ in 0..<3 {
            let start = ContinuousClock.now
            await alarm.sleep(atMost: .milliseconds(50))
            #expect(ContinuousClock.now - start >= .milliseconds(50))
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a cancelled sleep ends at once`() async {
        let alarm = Alarm()
        await withTaskGroup { group in
            group.addTask { await alarm.sleep(atMost: .seconds(3600)) }
            group.cancelAll()
        }
    }
}
