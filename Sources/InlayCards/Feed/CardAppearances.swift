import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// The appearances of containers. A stored one is used for the whole launch, a newer one from the next launch on.
actor CardAppearances {
    private let api: APIClient
    private let store: CardStore
    private let work: SessionWork
    private var inUse: [String: CardAppearance] = [:]

    init(api: APIClient, store: CardStore, work: SessionWork) {
        self.api = api
        self.store = store
        self.work = work
    }

    /// Returns the container's appearance. Waits for the server only when this device has none.
    func appearance(_ container: String) async throws(CardConnectionError) -> CardAppearance {
        if let appearance = inUse[container] { return appearance }
        do {
            if let stored = try await store.appearance(container) {
                return use(stored, for: container, isStored: true)
            }
            let fetched = try await fetch(container, after: nil)
            guard let fetched else { throw CardConnectionError.unreadable("304 without a version") }
            return use(fetched, for: container, isStored: false)
        } catch {
            throw CardConnectionError(error)
        }
    }

    private func use(_ appearance: CardAppearance, for container: String, isStored: Bool) -> CardAppearance {
        // Another caller may have set one meanwhile. All callers of a launch get the same appearance.
        if let earlier = inUse[container] { return earlier }
        inUse[container] = appearance
        if isStored {
            // Ends with the request, whose result is stored for the next launch.
            work.start { [weak self] in _ = try? await self?.fetch(container, after: appearance.version) }
        }
        return appearance
    }

    private func fetch(_ container: String, after version: Int64?) async throws -> CardAppearance? {
        let response = try await api.get(
            InlayPath.cardAppearance(container: container),
            query: version.map { [URLQueryItem(name: "after", value: String($0))] } ?? [])
        guard !response.isNotModified else { return nil }
        let appearance = try response.decoded(CardAppearance.self)
        try await store.save(appearance, body: response.body, container: container)
        return appearance
    }
}
