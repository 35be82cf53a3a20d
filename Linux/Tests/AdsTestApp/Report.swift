import Foundation
@_spi(Inlay) import InlayWire

/// Writes what happens as lines of JSON.
enum Report {
    static func line(_ members: [String: JSONValue]) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(JSONValue.object(members)) else { return }
        // One write a line, so that lines of several tasks do not mix.
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    }
}
