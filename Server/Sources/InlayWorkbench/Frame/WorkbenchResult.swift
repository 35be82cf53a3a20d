package import Foundation
package import InlayServerCore

/// The answer of a route.
package enum WorkbenchResult {
    /// A whole page inside the frame.
    case page(Page)
    /// A part of a page, for a script that asked for it.
    case fragment(template: String, model: Any)
    /// Bytes with a type, for a preview.
    case data(Data, mediaType: String, policy: String? = nil)
    /// A file to keep.
    case file(Data, mediaType: String, name: String)
    /// After an action: another page, which says what happened.
    case redirect(to: String, Flash?)

    /// A page's own part; the frame adds the rest.
    package struct Page {
        /// For the browser's tab and history.
        var title: String
        /// The template of the content.
        var template: String
        /// The model that fills it.
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

    /// A page with a form, and with what is wrong in it.
    package static func page(
        _ title: String, _ template: String, _ model: Any, scripts: [String] = [], faults: FieldErrors
    ) -> Self {
        .page(title, template, model, scripts: scripts, status: faults.items.isEmpty ? 200 : 422)
    }

    /// Asks before something is done that cannot be undone: “Archive “Inbox”?”, and what happens then.
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
