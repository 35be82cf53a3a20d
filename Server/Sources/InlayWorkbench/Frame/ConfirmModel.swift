/// A page that asks before something is done that cannot be undone.
package struct ConfirmModel {
    let csrf: String
    let question: String
    /// The effects of the action.
    let words: String
    let action: String
    /// Names the object again.
    let button: String
    let back: String
    /// The values of the page before it, or those that name the object where its address does not.
    var hidden: [HiddenField] = []
    /// The name of a button that leads back to the page before with what was typed there; `nil` for a link.
    var editName: String?
    /// Whether something is lost.
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
