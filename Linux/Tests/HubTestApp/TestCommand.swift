import Foundation
@_spi(Inlay) import InlayWire

/// A command of a test: a line such as `{"do": "present", "by": "tags", "tags": ["b"]}`.
struct TestCommand: Sendable {
    let name: String
    private let parts: JSONValue

    init?(_ line: String) {
        guard let parts = try? JSONDecoder().decode(JSONValue.self, from: Data(line.utf8)),
            let name = parts["do"]?.string
        else { return nil }
        (self.name, self.parts) = (name, parts)
    }

    func text(_ name: String) -> String? { parts[name]?.string }

    func texts(_ name: String) -> [String]? { text(name)?.split(separator: " ").map(String.init) }

    func flag(_ name: String) -> Bool { parts[name] == .bool(true) }

    /// The lines of standard input. A separate thread reads them, because reading blocks; it ends with the input.
    static func lines() -> AsyncStream<String> {
        AsyncStream { lines in
            Thread.detachNewThread {
                while let line = readLine() { lines.yield(line) }
                lines.finish()
            }
        }
    }

    static func report(_ answer: [String: JSONValue]) {
        guard let line = try? JSONEncoder().encode(JSONValue.object(answer)) else { return }
        FileHandle.standardOutput.write(line + Data("\n".utf8))
    }
}
