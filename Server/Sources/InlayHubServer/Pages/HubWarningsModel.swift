import InlayWorkbench

/// The warnings about parts of texts that pages do not show, for a page of the Workbench.
struct HubWarningsModel {
    let title: String
    let lines: [String]

    /// Creates a model; `nil` without warnings.
    init?(_ warnings: [HubFaults.Item]) {
        guard !warnings.isEmpty else { return nil }
        title = "\(Count.of(warnings.count, "part")) of the texts left out"
        lines = warnings.map { $0.text() }
    }

    /// Returns the sentence about warnings after a publish; empty without warnings.
    static func sentence(about warnings: [HubFaults.Item]) -> String {
        HubWarningsModel(warnings).map { " \($0.title): see Versions." } ?? ""
    }
}
