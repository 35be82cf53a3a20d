package import InlayServerCore

/// The model of `form.mustache`, a page with the form of one object: a link to the list, the fields, and
/// further actions on the object.
package struct FormModel {
    /// An action besides saving.
    package struct Action {
        let actionLabel: String
        let actionPath: String
        /// Whether the action is a form that acts at once; otherwise it is a link to a page that asks for confirmation.
        let isForm: Bool

        package init(actionLabel: String, actionPath: String, isForm: Bool) {
            self.actionLabel = actionLabel
            self.actionPath = actionPath
            self.isForm = isForm
        }
    }

    let csrf: String
    package let title: String
    let listName: String
    let listPath: String
    let formPath: String
    let faultSummary: FaultSummary?
    let fields: [FieldView]
    let button: String
    let canEdit: Bool
    let actions: [Action]

    /// Creates a form whose fields show their faults; they are read-only for operators who may not edit.
    package init(
        _ title: String, in list: (name: String, path: String), at formPath: String, fields: [FieldView],
        faults: FieldErrors, button: String, actions: [Action] = [], for request: WorkbenchRequest
    ) {
        csrf = request.csrfToken
        self.title = title
        listName = list.name
        listPath = list.path
        self.formPath = formPath
        self.fields = fields.map { field in
            field.with(faults: faults).with { $0.isLocked = $0.isLocked || !request.may(.editor) }
        }
        faultSummary = FaultSummary(faults, fields: fields)
        self.button = button
        canEdit = request.may(.editor)
        self.actions = actions
    }
}
