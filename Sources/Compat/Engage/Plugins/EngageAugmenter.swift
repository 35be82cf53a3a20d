internal import InlayBehaviors
import InlayWire

/// Lets a plug-in of the document work as one of ours.
struct EngageAugmenter: BehaviorAugmenter {
    private let plugin: any UBFAugmentationPlugin
    let processesSynchronously: Bool

    @MainActor init(_ plugin: any UBFAugmentationPlugin, context: EngageContext) {
        self.plugin = plugin
        plugin.setContext(context)
        processesSynchronously = plugin.processSyncronously()
    }

    func isSupplementalDataReady() async -> Bool { await plugin.isSupplementalDataReady() }

    func process(_ event: BehaviorEvent) async throws -> BehaviorEvent {
        let fields = EngageHost.shared.settings.fields
        let result = await MainActor.run { plugin.process(UBF(event)).attributes(fields) }
        var changed = event
        changed.attributes = event.attributes.compactMap { attribute in
            result[attribute.name].map { .init(name: attribute.name, value: $0) }
        }
        for (name, value) in result.sorted(by: { $0.key < $1.key }) where event[name] == nil {
            changed.set(name, value)
        }
        return changed
    }
}
