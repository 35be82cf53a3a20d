import Foundation

// An app that was written for ZBiM, on Linux: it calls only the documented names, and a browser shows the hub. Its
// `zbimconfig.plist` and `pubkey.der` are in the program's folder. Reads commands as lines of JSON from standard
// input, answers each with a line of JSON on standard output, and ends with its input.

let app = try TestApp()
for await line in TestCommand.lines() {
    guard let command = TestCommand(line) else { continue }
    TestCommand.report(await app.perform(command))
}
await app.close()
