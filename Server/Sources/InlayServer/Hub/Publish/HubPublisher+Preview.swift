import InlaySQL
import InlayWire

extension HubPublisher {
    /// The page that a draft would become, also of one that cannot be published yet.
    func preview(
        _ environmentID: String, _ sourceID: String, _ draft: HubDraft, _ kind: HubKind, date: Timestamp
    ) async throws -> HubPageWriter.Page {
        let state = try await database.read { try HubState.load(environmentID, sourceID, $0) }
        var templates: [HubKind: HubPageTemplate] = [:]
        if let blob = state.assets["templates/\(kind.rawValue).html"],
            let data = try await blobs.data(environmentID, blob.hash)
        {
            templates[kind] = try HubPageTemplate(String(decoding: data, as: UTF8.self))
        }
        let writer = HubPageWriter(
            settings: state.source.settings, policy: state.source.policy, assets: state.assets,
            templates: templates)
        return try writer.page(draft, kind, date: kind == .article ? date : nil)
    }
}
