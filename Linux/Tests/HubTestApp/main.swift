import Foundation

// An app that was written for ZBiM, on Linux: it calls the documented names alone, and a browser draws the hub. Its
// `zbimconfig.plist` and `pubkey.der` lie beside the program. Commands come as lines of JSON on standard input, each
// is answered by a line of JSON on standard output. Ends with its input.

let app = try TestApp()
for await line in TestCommand.lines() {
    guard let command = TestCommand(line) else { continue }
    TestCommand.report(await app.perform(command))
}
await app.close()
