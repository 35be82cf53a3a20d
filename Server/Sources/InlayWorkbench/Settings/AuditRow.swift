package import InlayServerCore

/// A row of the page "Audit log".
package struct AuditRow {
    let who: String
    let action: String
    let subject: String
    let detail: String
    let moment: Moment

    package init(_ entry: AuditLog.Entry, for request: WorkbenchRequest) {
        who = entry.who
        action = entry.action
        subject = entry.subject
        detail = entry.detail ?? ""
        moment = request.moment(entry.at)
    }
}
