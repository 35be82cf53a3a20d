import Foundation
import InlayBehaviors
import InlayCore
import InlayWire

// A process that is killed while it tracks, augments and sends. Every number is printed after its `track`
// returned, straight to the file behind standard output, so that the line survives the kill.
//
// Arguments: folder, file of the server, token, run number; `drain` in place of a number sends what is left.

let arguments = CommandLine.arguments
guard arguments.count == 5, let address = URL(string: "http://behaviors.victim") else {
    FileHandle.standardError.write(Data("usage: behaviors-victim FOLDER SERVER-FILE TOKEN RUN\n".utf8))
    exit(2)
}
let (folder, token) = (URL(fileURLWithPath: arguments[1]), arguments[3])
let session = try await InlaySession(
    configuration: SessionConfiguration(
        environmentID: "victim", apiKey: "key", baseURL: address, folder: folder),
    transport: FileServer(URL(fileURLWithPath: arguments[2])), tokenProvider: { token })
var configuration = BehaviorsConfiguration()
configuration.augmenters = [SlowAugmenter()]
configuration.settings.maximumRetries = 0
let behaviors = session.startBehaviors(configuration)

if arguments[4] == "drain" {
    while try await !behaviors.stored([.hold, .notPosted]).isEmpty { await behaviors.postEventCache() }
} else {
    try await Victim(behaviors: behaviors, run: arguments[4]).trackUntilKilled()
}
