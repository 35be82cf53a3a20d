import Foundation

/// A document of ours that holds a page of the web.
///
/// The app's own page may frame nothing but its surface's files, so that no creative can go elsewhere. What is to be
/// seen from the web, the page of a click or a companion, therefore stands in a frame of a file.
enum AdWebPage {
    /// - Parameter sandbox: what the page may do.
    static func document(_ address: String, sandbox: String) -> Data {
        let style =
            "html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block; background: #fff }"
        return Data(
            """
            <!DOCTYPE html><meta charset="utf-8"><title></title><style>\(style)</style>\
            <iframe src="\(escaped(address))" sandbox="\(sandbox)" allow="" referrerpolicy="no-referrer"></iframe>
            """.utf8)
    }

    private static func escaped(_ address: String) -> String {
        address.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "\"": text += "&quot;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
