import InlayServerCore
@_spi(Inlay) import InlayWire

/// The text of an error page: what happened and what to do; with what was typed into a form that was not taken.
struct FaultModel {
    let faultTitle: String
    let faultDetail: String?
    let isSignedOut: Bool
    let canRetry: Bool
    let kept: Form?

    /// A form that was not taken.
    struct Form {
        let action: String
        let csrf: String
        let hidden: [HiddenField]
        /// The fields that are not empty, to be read and copied.
        let typed: [HiddenField]
        let hasTyped: Bool
        /// Whether sending it again can succeed.
        let canSend: Bool

        init(_ kept: KeptForm, csrf: String?, canSend: Bool) {
            action = kept.path
            self.csrf = csrf ?? kept.csrf
            hidden = kept.fields.pairs.map { HiddenField(hiddenName: $0.name, hiddenValue: $0.value) }
            typed = hidden.filter { !$0.hiddenValue.isEmpty }
            hasTyped = !typed.isEmpty
            self.canSend = canSend
        }
    }

    /// A problem, with the form that it is about.
    ///
    /// - Parameter csrf: The token of the sign-in that is in force; `nil` when that is unknown.
    init(_ problem: Problem, _ kept: KeptForm? = nil, csrf: String? = nil) {
        let isPassing = problem.status >= 500 || problem.status == 429
        faultTitle = problem.title
        faultDetail = problem.detail
        isSignedOut = problem.status == 401
        canRetry = problem.status >= 500 && kept == nil
        self.kept = kept.map { Form($0, csrf: csrf, canSend: isPassing || problem == .formOutOfDate) }
    }

    /// After a sign-in that a form had to wait for.
    init(signedInAgain kept: KeptForm, csrf: String) {
        faultTitle = "You are signed in again."
        faultDetail = "What you typed is not saved yet. Send it now."
        isSignedOut = false
        canRetry = false
        self.kept = Form(kept, csrf: csrf, canSend: true)
    }
}
