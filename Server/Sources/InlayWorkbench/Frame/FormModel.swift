package import InlayServerCore

/// A page with the form of one object, as `form.mustache` draws it: the way back, what else can be done
/// with the object, its fields.
package struct FormModel {
    /// An action besides saving.
    package struct Action {
        let actionLabel: String
        let actionPath: String
        /// A form that acts at once; otherwise a link to a page that asks first.
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

    /// A form whose fields show what is wrong with them, and are locked for operators who may not edit.
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
