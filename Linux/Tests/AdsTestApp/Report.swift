import Foundation
@_spi(Inlay) import InlayWire

/// The app's reports to the test, as lines of JSON on standard output.
enum Report {
    static func line(_ members: [String: JSONValue]) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(JSONValue.object(members)) else { return }
        // One write for each line, so that the lines of several tasks do not mix.
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    }
}
