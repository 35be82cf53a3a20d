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
        let typed: [TypedValue]
        let hasTyped: Bool
        /// Whether the form can succeed when it is sent again.
        let canSend: Bool

        init(_ kept: KeptForm, csrf: String?, canSend: Bool) {
            action = kept.path
            self.csrf = csrf ?? kept.csrf
            hidden = kept.fields.pairs.map { HiddenField(hiddenName: $0.name, hiddenValue: $0.value) }
            typed = kept.fields.pairs.filter { !$0.value.isEmpty && !Self.untyped.contains($0.name) }
                .map { TypedValue(typedLabel: Self.label(ofField: $0.name), typedValue: $0.value) }
            hasTyped = !typed.isEmpty
            self.canSend = canSend
        }

        /// The value of a button, and the number of the version that a form changes: nobody typed them.
        private static let untyped: Set<String> = ["op", "revision"]

        /// Returns the name of a field in words: `elements[0].buttonName` becomes "Elements 1 button name". A form that
        /// was not processed comes without the labels of its fields.
        private static func label(ofField name: String) -> String {
            let words = name.replacing(/\[([0-9]{1,4})\]/) { " \((Int($0.output.1) ?? 0) + 1)" }
                .replacing(/([a-z0-9])([A-Z])/) { "\($0.output.1) \($0.output.2.lowercased())" }
                .replacing(/[._-]+/, with: " ")
            return words.prefix(1).uppercased() + words.dropFirst()
        }
    }

    /// A value that a form was sent with.
    struct TypedValue {
        let typedLabel: String
        let typedValue: String
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
