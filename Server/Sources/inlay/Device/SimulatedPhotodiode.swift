import Foundation
@_spi(Inlay) import InlayLight
import InlayLightChannel
import InlayNIO
import InlayServerCore

/// The photodiode of a simulated device, which reads a page's flashing square.
struct SimulatedPhotodiode: Sendable {
    /// The result of reading the light.
    enum Result: Sendable {
        case payload(LightPayload)
        /// A payload that this device cannot read.
        case unreadable
        case nothing
    }

    let devtools: URL
    let timeout: Duration
    let noiseDecibels: Double
    let panelMillis: Double

    /// Reads until a payload is complete or the timeout has passed.
    func read(seed: UInt64, log: @escaping @Sendable (String) -> Void) async throws -> Result {
        try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await follow(seed: seed, log: log) }
            group.addTask {
                try await Task.sleep(for: timeout)
                return .nothing
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .nothing
        }
    }

    /// Reads the light from page to page, because one may be reloaded or closed while it flashes.
    private func follow(seed: UInt64, log: (String) -> Void) async throws -> Result {
        let browser = DevTools(address: devtools, transport: try NIOTransport())
        var model = SensorModel()
        model.noiseDecibels = noiseDecibels
        model.panelMillis = panelMillis
        var sensor = Sensor(model, random: ChannelRandom(seed: seed))
        var receiver = LightReceiver()
        while true {
            log("eye: looking for a square")
            var page = try await browser.pageWithPatch(log: log)
            log("eye: on the square of \(page.address)")
            do {
                let result = try await read(at: &page, &sensor, &receiver, log)
                await page.close()
                return result
            } catch let error as DevToolsError {
                log("eye: \(error)")
                await page.close()
            }
        }
    }

    private func read(
        at page: inout DevToolsPage, _ sensor: inout Sensor, _ receiver: inout LightReceiver,
        _ log: (String) -> Void
    ) async throws -> Result {
        var progress = Progress()
        var last: PatchSample?
        while true {
            for sample in try await page.samples() {
                defer { last = sample }
                guard let last else { continue }
                // The last level lasted until this sample, but at most a second: a page may have been suspended.
                let seconds = min(max((sample.millis - last.millis) / 1_000, 0), 1)
                _ = sensor.show(last.light, seconds: seconds) { reading in
                    progress.note(receiver.take(reading), receiver, log)
                    return !receiver.isComplete
                }
                progress.seconds += seconds
                guard receiver.isComplete else { continue }
                log("light: complete after \((progress.seconds * 10).rounded() / 10) s")
                return receiver.payload.map { .payload($0) } ?? .unreadable
            }
        }
    }
}

/// A log of the received blocks, with one line for each.
private struct Progress {
    var seconds = 0.0
    private var blocks: UInt8 = 0

    mutating func note(
        _ outcome: LightReceiver.Outcome, _ receiver: borrowing LightReceiver, _ log: (String) -> Void
    ) {
        if outcome == .refused { log("light: the blocks made no payload; once more") }
        guard outcome == .block || outcome == .refused, receiver.blocksReceived != blocks else { return }
        blocks = receiver.blocksReceived
        if blocks > 0 { log("light: block \(blocks) of \(receiver.blocksNeeded)") }
    }
}
