import Foundation
import InlaySurface

/// The document that holds the page of a click.
///
/// The app's own page may frame nothing but its surface's files, so that no creative can go elsewhere; so the
/// advertiser's page stands in a frame of a file.
enum AdLandingPage {
    static func document(_ address: String) -> Data {
        let text = address.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "\"": text += "&quot;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        let style =
            "html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block; background: #fff }"
        return Data(
            """
            <!DOCTYPE html><meta charset="utf-8"><title></title><style>\(style)</style>\
            <iframe src="\(text)" sandbox="\(FrameRules.landingSandbox)" referrerpolicy="no-referrer"></iframe>
            """.utf8)
    }
}
