import Foundation

/// The message that the next page shows once, after an action and the redirect that follows it.
///
/// It travels in a cookie that only the server reads, so it costs no store and lasts for one page.
package struct Flash: Codable, Equatable, Sendable {
    static let cookie = "inlay_flash"

    /// One sentence: what happened, to which object.
    var text: String
    /// Whether it went wrong.
    var isFault = false
    /// The step that undoes it: a `POST` to a path of the Workbench.
    var undo: Step?
    /// The next step: a page of the Workbench.
    var next: Step?

    /// A thing the user may do now.
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

    /// Read from a cookie; `nil` for anything this server would not have written.
    init?(cookie value: String) {
        let padded = value.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        guard value.utf8.count <= 2_048,
            let data = Data(
                base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4)),
            let flash = try? JSONDecoder().decode(Flash.self, from: data)
        else { return nil }
        // The value is the browser's, so a path must not lead out of the Workbench.
        let paths = [flash.undo, flash.next].compactMap { $0?.path }
        guard paths.allSatisfy({ $0.hasPrefix("/workbench/") && !$0.contains("//") }) else { return nil }
        self = flash
    }

    /// As a cookie's value: base64url without padding.
    var cookieValue: String {
        var short = self
        short.text = String(text.prefix(300))
        let data = (try? JSONEncoder().encode(short)) ?? Data()
        return data.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
