import InlayServerCore
@_spi(Inlay) import InlayWire

/// The model of an error page: what happened, what to do, and the values of a form that was not processed.
struct FaultModel {
    let faultTitle: String
    let faultDetail: String?
    let isSignedOut: Bool
    let canRetry: Bool
    let kept: Form?

    /// A form that was not processed.
    struct Form {
        let action: String
        let csrf: String
        let hidden: [HiddenField]
        /// The fields with a value, which the page shows for copying.
        let typed: [HiddenField]
        let hasTyped: Bool
        /// Whether the form can succeed when it is sent again.
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

    /// Creates the page about a problem, with the form that caused it.
    ///
    /// - Parameter csrf: The token of the current session; `nil` when there is none or it is unknown.
    init(_ problem: Problem, _ kept: KeptForm? = nil, csrf: String? = nil) {
        let isTemporary = problem.status >= 500 || problem.status == 429
        faultTitle = problem.title
        faultDetail = problem.detail
        isSignedOut = problem.status == 401
        canRetry = problem.status >= 500 && kept == nil
        self.kept = kept.map { Form($0, csrf: csrf, canSend: isTemporary || problem == .formOutOfDate) }
    }

    /// Creates the page after a sign-in, with the form that was sent before it.
    init(signedInAgain kept: KeptForm, csrf: String) {
        faultTitle = "You are signed in again."
        faultDetail = "What you typed is not saved yet. Send it now."
        isSignedOut = false
        canRetry = false
        self.kept = Form(kept, csrf: csrf, canSend: true)
    }
}
