import Foundation
import InlayLight
import InlayLightChannel
import InlayNIO

/// The photodiode of a simulated device, held to a page's flashing square.
struct DeviceEye: Sendable {
    /// What came of looking.
    enum Sight: Sendable {
        case payload(LightPayload)
        /// There was a payload that this device cannot read.
        case unreadable
        case nothing
    }

    let devtools: URL
    let patience: Duration
    let noiseDecibels: Double
    let panelMillis: Double

    /// Looks until a payload is whole or patience ends.
    func read(seed: UInt64, say: @escaping @Sendable (String) -> Void) async throws -> Sight {
        try await withThrowingTaskGroup(of: Sight.self) { group in
            group.addTask { try await look(seed: seed, say: say) }
            group.addTask {
                try await Task.sleep(for: patience)
                return .nothing
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .nothing
        }
    }

    /// Follows the light from page to page: one may be loaded again or closed while it flashes.
    private func look(seed: UInt64, say: (String) -> Void) async throws -> Sight {
        let browser = DevTools(address: devtools, transport: try NIOTransport())
        var model = SensorModel()
        model.noiseDecibels = noiseDecibels
        model.panelMillis = panelMillis
        var sensor = Sensor(model, random: ChannelRandom(seed: seed))
        var receiver = LightReceiver()
        while true {
            say("eye: looking for a square")
            var page = try await browser.pageWithPatch(say: say)
            say("eye: on the square of \(page.address)")
            do {
                let sight = try await look(at: &page, &sensor, &receiver, say)
                await page.close()
                return sight
            } catch let error as DevToolsError {
                say("eye: \(error)")
                await page.close()
            }
        }
    }

    private func look(
        at page: inout DevToolsPage, _ sensor: inout Sensor, _ receiver: inout LightReceiver,
        _ say: (String) -> Void
    ) async throws -> Sight {
        var progress = Progress()
        var last: PatchSample?
        while true {
            for sample in try await page.samples() {
                defer { last = sample }
                guard let last else { continue }
                // What was shown, as long as it was shown. A page that stood still for long shows nothing new.
                let seconds = min(max((sample.millis - last.millis) / 1_000, 0), 1)
                _ = sensor.show(last.light, seconds: seconds) { reading in
                    progress.note(receiver.take(reading), receiver, say)
                    return !receiver.isComplete
                }
                progress.seconds += seconds
                guard receiver.isComplete else { continue }
                say("light: complete after \((progress.seconds * 10).rounded() / 10) s")
                return receiver.payload.map { .payload($0) } ?? .unreadable
            }
        }
    }
}

/// Tells of each new block once.
private struct Progress {
    var seconds = 0.0
    private var blocks: UInt8 = 0

    mutating func note(
        _ outcome: LightReceiver.Outcome, _ receiver: borrowing LightReceiver, _ say: (String) -> Void
    ) {
        if outcome == .refused { say("light: the blocks made no payload; once more") }
        guard outcome == .block || outcome == .refused, receiver.blocksReceived != blocks else { return }
        blocks = receiver.blocksReceived
        if blocks > 0 { say("light: block \(blocks) of \(receiver.blocksNeeded)") }
    }
}
