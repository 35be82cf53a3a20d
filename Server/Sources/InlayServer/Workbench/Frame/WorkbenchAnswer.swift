import Foundation

/// What a route answers.
enum WorkbenchAnswer {
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
    struct Page {
        /// For the browser's tab and history.
        var title: String
        /// The template of the content.
        var template: String
        /// What fills it.
        var model: Any
        /// Scripts of this page, by asset name.
        var scripts: [String] = []
        /// 422 for a form with faults, so that a script can tell.
        var status = 200
    }

    static func page(
        _ title: String, _ template: String, _ model: Any, scripts: [String] = [], status: Int = 200
    ) -> Self {
        .page(Page(title: title, template: template, model: model, scripts: scripts, status: status))
    }
}
