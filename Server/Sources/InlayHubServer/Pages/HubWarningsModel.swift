import InlayWorkbench

/// The parts of texts that are not on their pages, for a page of the Workbench.
struct HubWarningsModel {
    let title: String
    let lines: [String]

    /// `nil` where there are none.
    init?(_ warnings: [HubFaults.Item]) {
        guard !warnings.isEmpty else { return nil }
        title = "\(Count.of(warnings.count, "part")) of the texts left out"
        lines = warnings.map { $0.text() }
    }

    /// The sentence that follows the news of a publish; empty where there are none.
    static func words(_ warnings: [HubFaults.Item]) -> String {
        HubWarningsModel(warnings).map { " \($0.title): see Versions." } ?? ""
    }
}
