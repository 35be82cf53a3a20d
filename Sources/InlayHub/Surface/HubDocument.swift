@_spi(Inlay) import InlayHubView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// A page of the content that is a document of its own.
struct HubDocument: Hashable {
    let reference: HubReference
    let title: String
    let path: String
    /// Whether the version's scripts run on it; the publisher signed that.
    let allowsScripts: Bool
}

extension HubIndex {
    /// Returns the page whose document has this path; `nil` when no page has.
    func page(at path: String) -> HubDocument? {
        if let article = articles.elements.first(where: { $0.page == path }) { return document(article) }
        if let channel = channels.elements.first(where: { $0.page == path }) {
            return HubDocument(
                reference: HubReference(.channel, channel.id), title: channel.title, path: path,
                allowsScripts: false)
        }
        return hubs.elements.first { $0.page == path }.map {
            HubDocument(
                reference: HubReference(.hub, $0.id), title: $0.title, path: path, allowsScripts: false)
        }
    }

    /// Returns the screen of a reference, with each channel's articles in the reader's order; `nil` when this version
    /// has no such item.
    func body(
        _ reference: HubReference, articles ordered: (HubChannel) -> [HubArticle]
    ) -> HubScreen.Body? {
        switch reference.kind {
        case .article:
            article(reference.id).map { .document(reference, title: $0.title, path: $0.page) }
        case .channel:
            channel(reference.id).map { channel in
                channel.page.map { .document(reference, title: channel.title, path: $0) }
                    ?? .channel(HubScreen.Section(channel, ordered(channel)))
            }
        case .hub:
            hub(reference.id).map { hub in
                hub.page.map { .document(reference, title: hub.title, path: $0) }
                    ?? .hub(hub, channels(of: hub).map { HubScreen.Section($0, ordered($0)) })
            }
        }
    }

    private func document(_ article: HubArticle) -> HubDocument {
        HubDocument(
            reference: HubReference(.article, article.id), title: article.title, path: article.page,
            allowsScripts: article.allowsScripts)
    }
}

extension HubAccess {
    /// The sources that a page may load from, as rules for its frame.
    ///
    /// Single addresses are not included: see ``HubAccess/addresses``.
    var outside: FrameRules.Outside {
        guard let sources else { return .anything }
        return sources.isEmpty ? .nothing : .origins(sources)
    }
}
