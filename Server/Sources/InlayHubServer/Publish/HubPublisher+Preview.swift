import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

extension HubPublisher {
    /// Returns the page of a draft, also of a draft that cannot be published yet.
    func preview(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ draft: HubDraft, _ kind: HubKind,
        date: Timestamp
    ) async throws -> HubPageWriter.Page {
        let state = try await database.read { try HubState.load(environmentID, sourceID, $0) }
        var templates: [HubKind: HubPageTemplate] = [:]
        if let blob = state.assets["templates/\(kind.rawValue).html"],
            let data = try await blobs.data(environmentID, blob.hash)
        {
            templates[kind] = try HubPageTemplate(TextFile.lenientText(data))
        }
        let writer = HubPageWriter(
            settings: state.source.settings, policy: state.source.policy, assets: state.assets,
            templates: templates)
        return try writer.page(draft, kind, date: kind == .article ? date : nil)
    }
}
