import InlayCore
@_spi(Inlay) import InlayCardsView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// The element that opened a link, by its documented name.
enum CardLinkSource: String {
    case image, linkButton, submitButton, textLink
}

extension CardListSurface {
    /// Follows a link button or an image. The page reports only the position; the action comes from the layout.
    func follow(_ id: String, _ path: CardNodePath?, in view: SurfaceViewID) async {
        guard let path, let node = card(id)?.layout.node(at: path) else { return }
        switch node {
        case .linkButton(let button): await follow(id, button.action, .linkButton, in: view)
        case .image(let image):
            if let action = image.action { await follow(id, action, .image, in: view) }
        default: break
        }
    }

    func follow(_ id: String, _ action: CardLinkAction, _ source: CardLinkSource, in view: SurfaceViewID)
        async
    {
        switch action {
        case .url(let address): await follow(id, address: address, source, in: view)
        case .subview(let subview): await openSubview(id, subview)
        case .payload(let payload):
            await record(
                .userRedirected, card: id,
                properties: [
                    "method": "payload", "payload": .object(payload), "detail": .string(source.rawValue),
                ])
            await report(
                source == .submitButton ? .submitPayload(card: id, payload) : .linkPayload(card: id, payload))
        }
    }

    func follow(_ id: String, address: String, _ source: CardLinkSource, in view: SurfaceViewID) async {
        // The page may report any address. Addresses that run scripts or read files are ignored.
        guard let target = Self.target(address) else { return }
        if case .subview(let subview) = target { return await openSubview(id, subview) }
        await record(
            .userRedirected, card: id,
            properties: ["method": "url", "url": .string(address), "detail": .string(source.rawValue)])
        // The page itself follows links and linked images, because they are anchors. Only a submit button is no anchor:
        // its address is opened here, once the server has the submission.
        if case .address(let checked) = target, source == .submitButton {
            await navigate(to: checked, in: view)
        }
        await report(.opened(card: id, address: address))
    }

    func openSubview(_ id: String, _ subview: String) async {
        guard let title = card(id)?.layout.subviews[subview]?.title else { return }
        var ids: [String] = []
        if case .subviews(id, let open)? = list.overlay { ids = open }
        // Subviews may link to each other in a circle, so only the last levels are kept for going back.
        ids = ids.suffix(Self.maximumDepth - 1) + [subview]
        list.overlay = .subviews(card: id, ids: ids)
        await record(
            .cardSubviewDisplayed, card: id, properties: Self.properties(subview, title, level: ids.count))
    }

    /// Goes back to the previous subview of the card, or to the list. Does nothing when the subview on screen belongs
    /// to another card.
    func closeSubview(of id: String) async {
        guard case .subviews(id, let ids)? = list.overlay, let subview = ids.last else { return }
        list.overlay = ids.count == 1 ? nil : .subviews(card: id, ids: ids.dropLast())
        let title = card(id)?.layout.subviews[subview]?.title ?? ""
        await record(
            .cardSubviewExited, card: id, properties: Self.properties(subview, title, level: ids.count))
    }

    private enum Target { case address(String), subview(String), app }

    private static func target(_ address: String) -> Target? {
        switch LinkTarget(address) {
        case .address(let checked): .address(checked)
        case .subview(let id): .subview(id)
        case nil: LinkTarget.isForApp(address) ? .app : nil
        }
    }

    /// The maximum number of open subviews.
    private static let maximumDepth = 20

    private static func properties(_ subview: String, _ title: String, level: Int) -> [String: JSONValue] {
        [
            "subviewId": .string(subview), "subviewTitle": .string(title),
            "subviewLevel": .integer(Int64(level)),
        ]
    }
}
