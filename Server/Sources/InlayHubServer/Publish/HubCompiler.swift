import Foundation
@_spi(Inlay) import InlayWire

/// A compiler of the released items to the content of a version. It collects all faults that prevent the version.
struct HubCompiler {
    let source: HubSource
    /// The items that are released and not recalled, also those with a date in the future.
    let items: [HubItem]
    /// The items that links may name: all of the source, also those that are not published yet or recalled.
    private let known: Set<HubReference>
    let assets: [String: HubBlob]
    /// The publisher's templates by kind.
    let templates: [HubKind: String]
    /// The texts of the source's own style sheets by path, to find the files that they refer to.
    let styles: [String: String]
    let now: Timestamp

    private var faults = HubFaults()
    private var warnings: [HubFaults.Item] = []
    /// The number of warnings that `warnings` does not contain.
    private var moreWarnings = 0
    private var files: [String: HubVersionContent.File] = [:]

    init(
        _ source: HubSource, items: [HubItem], assets: [String: HubBlob], templates: [HubKind: String] = [:],
        styles: [String: String] = [:], now: Timestamp
    ) {
        self.source = source
        self.items = items.filter {
            $0.released != nil && !($0.kind == .article && source.policy.recalledArticles.contains($0.id))
        }
        known = Set(items.map(\.reference))
        self.assets = assets
        self.templates = templates
        self.styles = styles
        self.now = now
    }

    /// Returns the content of the version. Throws ``HubFaults``.
    mutating func compile() throws -> HubVersionContent {
        let writer = try pageWriter()
        let articles = try articles(writer)
        let channels = try channels(writer, articles)
        let hubs = try hubs(writer, channels)
        if hubs.isEmpty { faults.add("source", "There is no hub. A source has at least one.") }
        let shown = Set(hubs.flatMap(\.channels))
        let kept = channels.filter { shown.contains($0.id) }
        let named = Set(kept.flatMap(\.articles))
        let index = HubIndex(
            source: source.id.rawValue, version: 0, publishedAt: now, hubs: hubs, channels: kept,
            articles: articles.map(\.article).filter { named.contains($0.id) },
            notifications: source.notifications, files: try sharedFiles())
        checkSize(index)
        try faults.throwIfAny()
        let targets = index.targets
        return HubVersionContent(
            index: index, files: files.filter { targets.contains($0.key) }, nextArticleAt: nextArticleAt,
            warnings: allWarnings)
    }

    private var allWarnings: [HubFaults.Item] {
        guard moreWarnings > 0 else { return warnings }
        return warnings + [HubFaults.Item(place: "source", message: "… and \(moreWarnings) more.")]
    }

    private var nextArticleAt: Timestamp? {
        items.filter { $0.kind == .article }.compactMap { $0.released?.publishAt }.filter { $0 > now }.min()
    }

    private mutating func pageWriter() throws -> HubPageWriter {
        var parsed: [HubKind: HubPageTemplate] = [:]
        for (kind, text) in templates {
            do {
                parsed[kind] = try HubPageTemplate(text)
            } catch {
                faults.add("templates/\(kind.rawValue).html", "The template cannot be read: \(error)")
            }
        }
        return HubPageWriter(
            settings: source.settings, policy: source.policy, assets: assets, templates: parsed)
    }

    // MARK: Items

    private typealias Placed = (article: HubArticle, channels: [String], order: Int?)

    private mutating func articles(_ writer: HubPageWriter) throws -> [Placed] {
        let channelIDs = Set(items.filter { $0.kind == .channel }.map(\.id))
        var placed: [Placed] = []
        for item in items where item.kind == .article {
            guard let draft = item.released, draft.publishAt ?? item.createdAt <= now else { continue }
            let date = draft.publishAt ?? item.createdAt
            for id in draft.channels where !channelIDs.contains(id) {
                faults.add("article \(item.id)", "There is no channel \(id).", field: "channels")
            }
            let (path, used) = try page(item, draft, writer, date: date)
            let article = HubArticle(
                id: item.id, title: draft.title, summary: draft.summary, tags: draft.tags, publishedAt: date,
                page: path, image: draft.image, imageText: draft.imageText,
                allowsScripts: draft.allowsScripts && source.settings.allowsScripts,
                files: used.subtracting([draft.image ?? ""]).sorted(), revision: item.releasedRevision)
            placed.append((article, draft.channels, draft.order))
        }
        return placed
    }

    private mutating func channels(_ writer: HubPageWriter, _ articles: [Placed]) throws -> [HubChannel] {
        var channels: [HubChannel] = []
        for item in items where item.kind == .channel {
            guard let draft = item.released else { continue }
            let members = articles.filter { $0.channels.contains(item.id) }.sorted(by: Self.precedes)
            channels.append(
                HubChannel(
                    id: item.id, title: draft.title, summary: draft.summary, tags: draft.tags,
                    page: try ownPage(item, draft, writer), image: draft.image, imageText: draft.imageText,
                    articles: members.map(\.article.id)))
        }
        return channels
    }

    private mutating func hubs(_ writer: HubPageWriter, _ channels: [HubChannel]) throws -> [HubPage] {
        let known = Set(channels.map(\.id))
        var hubs: [(page: HubPage, order: Int?)] = []
        for item in items where item.kind == .hub {
            guard let draft = item.released else { continue }
            for id in draft.channels where !known.contains(id) {
                faults.add("hub \(item.id)", "There is no channel \(id).", field: "channels")
            }
            if draft.channels.isEmpty {
                faults.add("hub \(item.id)", "A hub shows at least one channel.", field: "channels")
            }
            let page = HubPage(
                id: item.id, title: draft.title, summary: draft.summary, tags: draft.tags,
                page: try ownPage(item, draft, writer), image: draft.image, imageText: draft.imageText,
                channels: draft.channels)
            hubs.append((page, draft.order))
        }
        return hubs.sorted { ($0.order ?? .max, $0.page.id) < ($1.order ?? .max, $1.page.id) }.map(\.page)
    }

    /// Whether an article precedes another: first those with a position, in its order, then the newest first.
    private static func precedes(_ left: Placed, _ right: Placed) -> Bool {
        if left.order ?? .max != right.order ?? .max { return left.order ?? .max < right.order ?? .max }
        if left.article.publishedAt != right.article.publishedAt {
            return left.article.publishedAt > right.article.publishedAt
        }
        return left.article.id < right.article.id
    }

    // MARK: Pages and files

    private mutating func ownPage(_ item: HubItem, _ draft: HubDraft, _ writer: HubPageWriter) throws
        -> String?
    {
        if draft.body.allSatisfy(\.isWhitespace) {
            if let image = draft.image { addImage(image, of: item) }
            return nil
        }
        return try page(item, draft, writer, date: nil).path
    }

    private mutating func page(
        _ item: HubItem, _ draft: HubDraft, _ writer: HubPageWriter, date: Timestamp?
    ) throws -> (path: String, files: Set<String>) {
        let page = try writer.page(draft, item.kind, date: date)
        let place = "\(item.kind.rawValue) \(item.id)"
        for fault in page.faults { faults.add(place, fault.message, quote: fault.quote) }
        warn(place, page.losses)
        for reference in HubPageWriter.references(in: page.html) where !known.contains(reference) {
            faults.add(place, "The link \(reference.uri) leads nowhere.", quote: reference.uri)
        }
        if draft.allowsScripts, !source.settings.allowsScripts {
            faults.add(place, "The source does not allow scripts.", field: "allowsScripts")
        }
        let path = "\(item.kind.rawValue)s/\(item.id)/index.html"
        files[path] = .generated(Data(page.html.utf8))
        for file in page.files { if let blob = assets[file] { files[file] = .stored(blob) } }
        return (path, page.files)
    }

    private mutating func warn(_ place: String, _ losses: HTMLLosses) {
        for loss in losses.items {
            if warnings.count < HubLimits.maximumWarnings {
                let quote = loss.quote.isEmpty ? nil : loss.quote
                warnings.append(HubFaults.Item(place: place, message: loss.text, quote: quote))
            } else {
                moreWarnings += 1
            }
        }
        moreWarnings += losses.uncountedParts
    }

    private mutating func addImage(_ path: String, of item: HubItem) {
        guard let blob = assets[path] else {
            faults.add("\(item.kind.rawValue) \(item.id)", "There is no file \(path).", field: "image")
            return
        }
        files[path] = .stored(blob)
    }

    /// Adds the files that belong to all pages, and returns their paths: style sheets, fonts, scripts and data, and the
    /// files that style sheets and templates refer to.
    private mutating func sharedFiles() throws -> [String] {
        files[HubPageTemplate.styleSheet] = .generated(try HubPageTemplate.styles())
        var shared: Set = [HubPageTemplate.styleSheet]
        let named = styles.values.reduce(into: Set<String>()) {
            $0.formUnion(HubPageWriter.assetPaths(in: $1))
        }
        .union(
            templates.values.reduce(into: Set<String>()) { $0.formUnion(HubPageWriter.assetPaths(in: $1)) })
        for (path, blob) in assets where HubMedia(path: path)?.isShared == true || named.contains(path) {
            files[path] = .stored(blob)
            shared.insert(path)
        }
        return shared.sorted()
    }

    private mutating func checkSize(_ index: HubIndex) {
        let total = index.targets.reduce(0) { $0 + (files[$1]?.blob.size ?? 0) }
        if total > HubLimits.maximumVersionBytes {
            faults.add(
                "source", "All files together have \(total) bytes; at most \(HubLimits.maximumVersionBytes).")
        }
    }
}
