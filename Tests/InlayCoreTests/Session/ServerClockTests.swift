@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct ServerClockTests {
    let clock = ManualClock(at: Timestamp(seconds: 1000))

    func moment(_ seconds: Double) -> Timestamp { Timestamp(seconds: seconds) }

    @Test func `the offset is measured from the middle of the round trip`() {
        let server = ServerClock(clock: clock)
        server.learn(moment(5000), sent: moment(998), received: moment(1000))
        #expect(server.now() == moment(5001))
    }

    @Test func `a slow response that agrees within its error does not change the offset`() {
        let server = ServerClock(clock: clock, offset: .seconds(100))
        // The middle of the round trip gives an offset of 101 seconds, with an error of up to two.
        server.learn(moment(1099), sent: moment(996), received: moment(1000))
        #expect(server.currentOffset == .seconds(100))
    }

    @Test func `an answer from before the device's clock was set back is ignored`() {
        let server = ServerClock(clock: clock)
        server.learn(moment(5000), sent: moment(1001), received: moment(1000))
        #expect(server.currentOffset == .zero)
    }

    @Test func `a time at the end of the range does not trap`() {
        let server = ServerClock(clock: clock)
        server.learn(Timestamp(microseconds: .max), sent: moment(999), received: moment(1000))
        server.learn(Timestamp(microseconds: .min), sent: moment(999), received: moment(1000))
        server.learn(moment(1000), sent: moment(1000), received: moment(1000))
        #expect(server.now() == moment(1000))
    }
}
