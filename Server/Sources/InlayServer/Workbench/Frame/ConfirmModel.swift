/// A page that asks before something is done that cannot be undone.
struct ConfirmModel {
    let csrf: String
    let question: String
    /// What happens and what stays.
    let words: String
    let action: String
    /// Names the object again.
    let button: String
    let back: String
    /// What the page before it had asked, or what names the object where its address does not.
    var hidden: [HiddenField] = []
    /// A form field whose press leads back to the page before with what was typed there; `nil` for a link.
    var editName: String?
    /// Whether something is lost.
    var isDanger = true
}

/// A field of a form that is not shown.
struct HiddenField {
    let hiddenName: String
    let hiddenValue: String
}
