import InlayServerCore
import InlayWorkbench

/// The pages of goals or of funnels. Both are defined by events and listed on one page.
protocol EventDefinitionPages: RecordFormPages, RecordRemovalPages {}

extension EventDefinitionPages {
    var readRole: OperatorRole { .editor }

    func saved(_ record: Record, isNew: Bool, _ request: WorkbenchRequest) -> WorkbenchResult {
        .redirect(to: listPath(request), Flash("Saved the \(noun) “\(name(of: record))”."))
    }

    func warning(about record: Record, _ request: WorkbenchRequest) -> String {
        "The events stay, and you can create the \(noun) again."
    }

    func cancelPath(of record: Record, _ request: WorkbenchRequest) -> String { listPath(request) }

    func pathAfterRemoval(of record: Record, _ request: WorkbenchRequest) -> String { listPath(request) }

    func notice(ofRemoved record: Record) -> String { "Deleted the \(noun) “\(name(of: record))”." }

    /// The address of the page that lists goals and funnels.
    func listPath(_ request: WorkbenchRequest) -> String { request.address("behaviors", "goals") }
}
