import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayWire

// A process that is killed while it enqueues and sends. Every id is printed after its `enqueue`
// returned, straight to the file behind standard output, so that the line survives the kill.
//
// Arguments: base URL, folder, token, run number. With `drain` instead of a number, the process sends the stored
// items and exits.

let arguments = CommandLine.arguments
guard arguments.count == 5, let baseURL = URL(string: arguments[1]) else {
    FileHandle.standardError.write(Data("usage: outbox-crash-target URL FOLDER TOKEN RUN\n".utf8))
    exit(2)
}
let token = arguments[3]
let configuration = SessionConfiguration(
    environmentID: "crash-target", apiKey: "key", baseURL: baseURL, folder: URL(fileURLWithPath: arguments[2])
)
let session = try await InlaySession(
    configuration: configuration, transport: URLSessionTransport(), tokenProvider: { token })
let retry = RetryRule(first: .milliseconds(2), maximum: .milliseconds(20))
await session.outbox.register(
    OutboxLane(name: "numbers", path: "/numbers", batchSize: 100, flushAfter: .zero, retry: retry))

if arguments[4] == "drain" {
    while try await !session.outbox.isEmpty { await session.outbox.flush(lane: "numbers") }
} else {
    await CrashTarget(session: session, run: arguments[4]).enqueueUntilKilled()
}
