import Testing

@_spi(Inlay) @testable import InlayCore

@Suite(.timeLimit(.minutes(5))) struct SerialQueueTests {
    @Test func `a job begins when the earlier ones have ended, also when they await`() async {
        let queue = SerialQueue()
        let finished = Locked<[Int]>([])
        for number in 0..<100 {
            queue.add {
                for _ in 0..<(100 - number) { await Task.yield() }
                finished.withLock { $0.append(number) }
            }
        }
        await queue.settled()
        #expect(finished.withLock { $0 } == Array(0..<100))
    }

    @Test func `jobs of the main actor keep the order of the calls`() async {
        let queue = SerialQueue()
        let finished = Locked<[Int]>([])
        for number in 0..<100 {
            queue.addOnMainActor {
                for _ in 0..<(100 - number) { await Task.yield() }
                finished.withLock { $0.append(number) }
            }
        }
        await queue.settled()
        #expect(finished.withLock { $0 } == Array(0..<100))
    }

    @Test func `a caller gets the result or the error of a job, and the next job runs`() async {
        let queue = SerialQueue()
        await #expect(throws: StoreError.diskFull) {
            try await queue.run { () throws(StoreError) in throw .diskFull }
        }
        #expect(await queue.run { 1 } == 1)
    }

    @Test func `the first job waits for the task before it`() async {
        let finished = Locked<[String]>([])
        let first = Task {
            for _ in 0..<100 { await Task.yield() }
            finished.withLock { $0.append("task") }
        }
        let queue = SerialQueue(after: first)
        await queue.run { finished.withLock { $0.append("job") } }
        #expect(finished.withLock { $0 } == ["task", "job"])
    }

    @Test func `the end of the session cancels its jobs`() async {
        let work = SessionWork()
        let queue = SerialQueue(work)
        let started = AsyncStream.makeStream(of: Void.self)
        queue.add {
            started.continuation.finish()
            while !Task.isCancelled { await Task.yield() }
        }
        for await _ in started.stream {}
        work.end()
        await queue.settled()
        #expect(work.running == 0)
    }

    @Test func `a job that is added after the end of the session runs cancelled, behind the others`() async {
        let work = SessionWork()
        let queue = SerialQueue(work)
        let ran = Locked<[String]>([])
        queue.add {
            for _ in 0..<100 { await Task.yield() }
            ran.withLock { $0.append("before") }
        }
        work.end()
        await queue.run { ran.withLock { $0.append(Task.isCancelled ? "cancelled" : "as ever") } }
        #expect(ran.withLock { $0 } == ["before", "cancelled"])
    }
}
