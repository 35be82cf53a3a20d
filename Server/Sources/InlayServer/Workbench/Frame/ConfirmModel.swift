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
}
