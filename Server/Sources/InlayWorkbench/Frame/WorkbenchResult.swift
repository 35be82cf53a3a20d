package import Foundation
package import Hummingbird
package import InlayServerCore

/// The result of a route's handler, which the gate renders.
package enum WorkbenchResult {
    /// A whole page inside the frame.
    case page(Page)
    /// A part of a page that a script requested.
    case fragment(template: String, model: Any)
    /// Bytes with a type, for a preview.
    case data(Data, mediaType: String, policy: String? = nil)
    /// The bytes of a file that is too large for memory, for a preview.
    case stream(ResponseBody, mediaType: String, policy: String)
    /// A file to download.
    case file(Data, mediaType: String, name: String)
    /// A redirect after an action, to a page that shows the message.
    case redirect(to: String, Flash?)

    /// The content of a page; the frame is added around it.
    package struct Page {
        /// The title in the browser's tab and history.
        var title: String
        /// The template of the content.
        var template: String
        /// The model of the template.
        var model: Any
        /// Scripts of this page, by asset name.
        var scripts: [String] = []
        /// 422 for a form with faults, so that a script can recognise them.
        var status = 200
    }

    package static func page(
        _ title: String, _ template: String, _ model: Any, scripts: [String] = [], status: Int = 200
    ) -> Self {
        .page(Page(title: title, template: template, model: model, scripts: scripts, status: status))
    }

    /// Returns a page with a form and its faults.
    package static func page(
        _ title: String, _ template: String, _ model: Any, scripts: [String] = [], faults: FieldErrors
    ) -> Self {
        .page(title, template, model, scripts: scripts, status: faults.items.isEmpty ? 200 : 422)
    }

    /// Returns a page that asks for confirmation before an action that cannot be undone: “Archive “Inbox”?”, with its
    /// effects in `words`.
    package static func confirm(
        _ verb: String, _ name: String, _ words: String, at action: String, back: String,
        with hidden: [HiddenField] = [], for request: WorkbenchRequest
    ) -> Self {
        let model = ConfirmModel(
            csrf: request.csrfToken, question: "\(verb) “\(name)”?", words: words, action: action,
            button: "\(verb) “\(name)”", back: back, hidden: hidden)
        return .page("\(verb) \(name)", "confirm", model)
    }
}
