/// A text that must not get into logs, crash reports or files: it prints as nothing, and cannot be encoded.
struct Hidden: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }
}

extension Hidden: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "hidden" }
    var debugDescription: String { "hidden" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
