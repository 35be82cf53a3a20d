import Foundation
@_spi(Inlay) import InlayWire

/// A command of a test: a line such as `{"do": "answer", "body": {…}}`.
struct Command {
    let name: String
    let parts: JSONValue

    init?(_ line: String) {
        guard let parts = try? JSONDecoder().decode(JSONValue.self, from: Data(line.utf8)),
            let name = parts["do"]?.string
        else { return nil }
        (self.name, self.parts) = (name, parts)
    }

    func text(_ name: String) -> String? { parts[name]?.string }

    func flag(_ name: String) -> Bool { parts[name] == .bool(true) }

    func number(_ name: String) -> Int? {
        guard case .integer(let number)? = parts[name] else { return nil }
        return Int(number)
    }
}
