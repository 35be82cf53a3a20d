/// The model of a page that asks for confirmation before an action that cannot be undone.
package struct ConfirmModel {
    let csrf: String
    let question: String
    /// The effects of the action.
    let words: String
    let action: String
    /// The label of the button, which names the object again.
    let button: String
    let back: String
    /// The values of the previous page, or those that name the object when the URL does not.
    var hidden: [HiddenField] = []
    /// The name of a button that returns to the previous page with the typed values; `nil` for a plain link.
    var editName: String?
    /// Whether the action loses something.
    var isDanger = true

    package init(
        csrf: String, question: String, words: String, action: String, button: String, back: String,
        hidden: [HiddenField] = [], editName: String? = nil, isDanger: Bool = true
    ) {
        self.csrf = csrf
        self.question = question
        self.words = words
        self.action = action
        self.button = button
        self.back = back
        self.hidden = hidden
        self.editName = editName
        self.isDanger = isDanger
    }
}

/// A field of a form that is not shown.
package struct HiddenField {
    let hiddenName: String
    let hiddenValue: String

    package init(hiddenName: String, hiddenValue: String) {
        self.hiddenName = hiddenName
        self.hiddenValue = hiddenValue
    }
}
