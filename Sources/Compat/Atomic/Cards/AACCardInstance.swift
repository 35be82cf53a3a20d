public import Foundation
@_spi(Inlay) package import InlayCards
internal import InlayWire
@_spi(Inlay) import InlayWire

/// One card in Atomic's API. Used on one thread at a time.
public final class AACCardInstance: NSObject {
    /// The engine's card, with what was resolved so far.
    package private(set) var card: Card
    /// Made when first asked for, and anew after a variable was resolved.
    private var layouts: [String?: AACCardLayout] = [:]

    package init(_ card: Card) { self.card = card }

    /// The card instance id; the same as `detail.cardId`.
    public var cardInstanceId: String { card.id }
    /// The event that made the card.
    public var eventName: String { card.instance.eventName }
    /// The id of the subject of the card.
    public var lifecycleId: String { card.instance.lifecycleID }
    /// 1 (first) to 10 (last).
    public var priority: Int { card.instance.priority }
    /// The time at which the card last became visible.
    public var lastCardActiveTime: Date { card.instance.activeAt.date }
    /// Identity and state of the card.
    public var detail: AACCardDetail { AACCardDetail(card.instance) }
    /// The card's data besides its content.
    public var metadata: AACCardMetadata { AACCardMetadata(card) }
    /// The menu entries and swipes that the card does not offer.
    public var actionFlags: AACCardActionFlags { AACCardActionFlags(card.source.options) }

    /// The elements of the top level.
    public var defaultLayout: AACCardLayout {
        made(nil) { AACCardLayout(title: "", nodes: $0.nodes, cardID: card.id) }
    }

    /// The ids of the subviews.
    public func subLayoutNames() -> Set<String> { Set(card.source.subviews.keys) }

    /// The subview of this id; `nil` when the card has none of that id.
    public func layout(withName name: String) -> AACCardLayout? {
        guard card.source.subviews[name] != nil else { return nil }
        return made(name) { layout in
            let subview = layout.subviews[name]
            return AACCardLayout(title: subview?.title ?? "", nodes: subview?.nodes ?? [], cardID: card.id)
        }
    }

    /// The buttons of a subview, or of the top level for `nil`, in order, those in forms included.
    public func buttons(withSubviewId subviewId: String?) -> [AACCardBaseButton] {
        let level = subviewId.map { layout(withName: $0) } ?? defaultLayout
        let nodes = level?.nodes ?? []
        return nodes.flatMap { [$0] + ($0.flattenedChildren ?? []) }.compactMap { $0 as? AACCardBaseButton }
    }

    /// The variables that the app resolves on the device.
    public var runtimeVariables: [AACCardRuntimeVariable] {
        card.runtimeVariables.map {
            AACCardRuntimeVariable(name: $0.name, defaultValue: $0.defaultValue.plainText)
        }
    }

    /// Whether the app has something to resolve on this card.
    public var hasRuntimeVariables: Bool { card.hasRuntimeVariables }

    /// Gives a runtime variable of this card its value; a name the card does not have is ignored.
    public func resolveRuntimeVariable(withName name: String, value: String) {
        card.resolve(name, to: value)
        layouts = [:]
    }

    private func made(_ name: String?, _ make: (CardLayout) -> AACCardLayout) -> AACCardLayout {
        if let layout = layouts[name] { return layout }
        let layout = make(card.layout)
        layouts[name] = layout
        return layout
    }
}

extension Timestamp {
    /// The same moment as Foundation has it.
    var date: Date { Date(timeIntervalSince1970: seconds) }
}
