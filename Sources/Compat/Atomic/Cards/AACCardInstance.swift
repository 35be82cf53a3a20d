public import Foundation
@_spi(Inlay) package import InlayCards
internal import InlayWire
@_spi(Inlay) import InlayWire

/// A card in Atomic's API. Must be used on one thread at a time.
public final class AACCardInstance: NSObject {
    /// The card of InlayCards, with the values of the runtime variables that were resolved so far.
    package private(set) var card: Card
    /// A cache of layouts by subview id, `nil` for the top level; emptied when a variable is resolved.
    private var layouts: [String?: AACCardLayout] = [:]

    package init(_ card: Card) { self.card = card }

    /// The card instance id; the same as `detail.cardId`.
    public var cardInstanceId: String { card.id }
    /// The name of the event that created the card.
    public var eventName: String { card.instance.eventName }
    /// The id of the subject of the card.
    public var lifecycleId: String { card.instance.lifecycleID }
    /// The card's priority, from 1 (first in the list) to 10 (last).
    public var priority: Int { card.instance.priority }
    /// The time at which the card last became visible.
    public var lastCardActiveTime: Date { card.instance.activeAt.date }
    /// The identity and state of the card.
    public var detail: AACCardDetail { AACCardDetail(card.instance) }
    /// The card's data besides its content.
    public var metadata: AACCardMetadata { AACCardMetadata(card) }
    /// The menu entries and swipes that the card does not offer.
    public var actionFlags: AACCardActionFlags { AACCardActionFlags(card.source.options) }

    /// The elements of the card's top level.
    public var defaultLayout: AACCardLayout {
        cachedLayout(nil) { AACCardLayout(title: "", nodes: $0.nodes, cardID: card.id) }
    }

    /// The ids of the subviews.
    public func subLayoutNames() -> Set<String> { Set(card.source.subviews.keys) }

    /// Returns the subview with this id; `nil` when the card has no such subview.
    public func layout(withName name: String) -> AACCardLayout? {
        guard card.source.subviews[name] != nil else { return nil }
        return cachedLayout(name) { layout in
            let subview = layout.subviews[name]
            return AACCardLayout(title: subview?.title ?? "", nodes: subview?.nodes ?? [], cardID: card.id)
        }
    }

    /// Returns the buttons of a subview, or of the top level for `nil`, in their order; includes buttons in forms.
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

    /// Whether the card has variables that the app resolves.
    public var hasRuntimeVariables: Bool { card.hasRuntimeVariables }

    /// Sets the value of a runtime variable; a name that the card does not have is ignored.
    public func resolveRuntimeVariable(withName name: String, value: String) {
        card.resolve(name, to: value)
        layouts = [:]
    }

    private func cachedLayout(_ name: String?, _ make: (CardLayout) -> AACCardLayout) -> AACCardLayout {
        if let layout = layouts[name] { return layout }
        let layout = make(card.layout)
        layouts[name] = layout
        return layout
    }
}

extension Timestamp {
    /// The time as Foundation's type.
    var date: Date { Date(timeIntervalSince1970: seconds) }
}
