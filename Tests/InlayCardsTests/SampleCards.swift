@_spi(Inlay) @testable import InlayCards
@_spi(Inlay) import InlayWire

/// Small cards and feeds with default values for everything that a test does not set.
enum Sample {
    static let noon = Timestamp(microseconds: 1_700_000_000_000_000)

    static func instance(
        _ id: String, priority: Int = 5, template: String = "t",
        created: Timestamp = noon, active: Timestamp? = nil, expires: Timestamp? = nil, isSeen: Bool = false,
        layout: String = "t@1", variables: [String: CardVariableValue] = [:]
    ) -> CardInstance {
        CardInstance(
            id: id, layoutID: layout, templateID: template, templateName: template,
            eventName: "event-\(id)",
            lifecycleID: "life-\(id)", priority: priority, createdAt: created, updatedAt: created,
            activeAt: active ?? created, expiresAt: expires, isSeen: isSeen, variables: variables)
    }

    static let layout = CardLayout(nodes: [.headline("Hi")])

    static func card(
        _ id: String, priority: Int = 5, template: String = "t", created: Timestamp = noon,
        variables: [String: CardVariableValue] = [:], layout: CardLayout = layout
    ) -> Card {
        Card(
            containerID: "c",
            instance: instance(
                id, priority: priority, template: template, created: created, variables: variables),
            layout: layout)
    }

    static func feed(
        _ version: Int64, _ cards: [CardInstance], container: String = "c",
        layouts: [String: CardLayout] = ["t@1": layout]
    ) -> CardFeed {
        CardFeed(
            containerID: container, version: version, serverTime: noon, hadCards: true, cards: cards,
            layouts: layouts)
    }
}
