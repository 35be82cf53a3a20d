import Foundation
import InlayBehaviors
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayWire

// A process that is killed while it tracks, augments and sends. Each event's name is printed after its `track`
// returned, without a buffer, so that the line survives the kill.
//
// Arguments: folder, file of the server, token, run number; `drain` in place of a number sends all stored events.

let arguments = CommandLine.arguments
guard arguments.count == 5, let address = URL(string: "http://behaviors.test") else {
    FileHandle.standardError.write(Data("usage: behaviors-crash-target FOLDER SERVER-FILE TOKEN RUN\n".utf8))
    exit(2)
}
let (folder, token) = (URL(fileURLWithPath: arguments[1]), arguments[3])
let session = try await InlaySession(
    configuration: SessionConfiguration(
        environmentID: "crash-target", apiKey: "key", baseURL: address, folder: folder),
    transport: FileServer(URL(fileURLWithPath: arguments[2]), count: Int(arguments[4]) ?? 0),
    tokenProvider: { token })
var configuration = BehaviorsConfiguration()
configuration.augmenters = [SlowAugmenter()]
configuration.settings.maximumRetries = 0
let behaviors = session.startBehaviors(configuration)

if arguments[4] == "drain" {
    // The test ends the process earlier. The limit is for a test that ended first.
    let end = ContinuousClock.now + .seconds(300)
    while try await !behaviors.stored([.hold, .notPosted]).isEmpty {
        guard ContinuousClock.now < end else { exit(1) }
        await behaviors.postEventCache()
    }
} else {
    try await CrashTarget(behaviors: behaviors, run: arguments[4]).trackUntilKilled()
}

/// An augmenter that keeps every event in HOLD for five milliseconds, so that some kills happen there.
private struct SlowAugmenter: BehaviorAugmenter {
    var processesSynchronously: Bool { false }

    func isSupplementalDataReady() async -> Bool { true }

    func process(_ event: BehaviorEvent) async throws -> BehaviorEvent {
        try await SystemClock().sleep(for: .milliseconds(5))
        var event = event
        event.set("augmented", "yes")
        return event
    }
}
