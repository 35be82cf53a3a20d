/// What the Workbench reads and changes beside the accounts.
struct WorkbenchStores: Sendable {
    let templates: CardTemplateStore
    let containers: ContainerStore
    let themes: ThemeStore
    let events: CardEventService
    let inspector: CardInspector
    let actions: CardActionService
    let analytics: AnalyticsStore
    let hub: HubFeature
    let behaviors: BehaviorsFeature
    let devices: DevicesFeature
    let ads: AdsFeature
}
