import Foundation
import InlayServerCore

/// The message that the next page shows once, after an action and the redirect that follows it.
///
/// A cookie that only the server reads contains the message, so that the server stores nothing.
package struct Flash: Codable, Equatable, Sendable {
    static let cookie = "inlay_flash"

    /// One sentence that says what happened to which object.
    var text: String
    /// Whether the action failed.
    var isFault = false
    /// The step that undoes the action: a `POST` to a path of the Workbench.
    var undo: Step?
    /// The next step: a page of the Workbench.
    var next: Step?

    /// A link or button in the message.
    package struct Step: Codable, Equatable, Sendable {
        var label: String
        var path: String

        package init(label: String, path: String) {
            self.label = label
            self.path = path
        }
    }

    package init(_ text: String, isFault: Bool = false, undo: Step? = nil, next: Step? = nil) {
        self.text = text
        self.isFault = isFault
        self.undo = undo
        self.next = next
    }

    /// Reads a cookie; `nil` for a value that this server would not have written.
    init?(cookie value: String) {
        let padded = value.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        guard value.utf8.count <= 2_048,
            let data = Data(
                base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4)),
            let flash = try? JSONDecoder().decode(Flash.self, from: data)
        else { return nil }
        // The value comes from the browser, so its paths are checked: they must not leave the Workbench.
        let paths = [flash.undo, flash.next].compactMap { $0?.path }
        guard paths.allSatisfy({ $0.hasPrefix("/workbench/") && !$0.contains("//") }) else { return nil }
        self = flash
    }

    /// The value of the cookie: base64url without padding.
    var cookieValue: String {
        var short = self
        short.text = text.prefix(scalars: 300)
        let data = (try? JSONEncoder().encode(short)) ?? Data()
        return data.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
