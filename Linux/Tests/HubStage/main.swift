import Foundation

// An app that was written for ZBiM, on Linux: it calls the documented names alone, and a browser draws the hub. Its
// `zbimconfig.plist` and `pubkey.der` lie beside the program. Commands come as lines of JSON on standard input, each
// is answered by a line of JSON on standard output. Ends with its input.

let app = try StageApp()
for await line in StageCommand.lines() {
    guard let command = StageCommand(line) else { continue }
    StageCommand.report(await app.perform(command))
}
await app.close()
