import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A reader that makes a manifest of a folder and collects faults with file and line.
struct HubFolderReader {
    private let files: HubFolderFiles
    private let now: Timestamp
    private var manifest = HubManifest()
    private var urls: [String: URL] = [:]
    private var faults: HubFaults
    /// The file of each item, for faults that are found later.
    private(set) var origins = HubItemFiles()
    /// The warnings about parts of texts that pages would not show.
    private(set) var warnings: [HubFaults.Item] = []

    init(_ folder: URL, now: Timestamp) throws {
        files = try HubFolderFiles(folder)
        faults = files.faults
        self.now = now
    }

    mutating func read() throws -> (HubManifest, [String: URL]) {
        if files.paths.contains("source.md") { readSource() }
        for path in files.paths { read(path) }
        checkReferences()
        try faults.throwIfAny()
        return (manifest, urls)
    }

    private mutating func read(_ path: String) {
        if let fault = WindowsName.fault(inPath: path) { return faults.add(path, fault) }
        let parts = path.split(separator: "/").map(String.init)
        switch (parts.count, parts[0]) {
        case (1, "source.md"), (1, "README.md"): return
        case (2..., "hubs"): readItem(path, .hub)
        case (2..., "channels"): readItem(path, .channel)
        case (2..., "articles"): readItem(path, .article)
        case (2, "notifications"): readNotification(path)
        case (2..., "assets"), (2, "templates"): readAsset(path)
        default:
            faults.add(
                path,
                "Only source.md and the folders hubs, channels, articles, notifications, assets, templates.")
        }
    }

    // MARK: One file

    private mutating func text(_ path: String) -> String? {
        do {
            return try TextFile.text(
                files.data(path, limit: HubLimits.maximumBodyBytes + (64 << 10)), of: path)
        } catch let found as HubFaults {
            faults.add(found)
        } catch {
            faults.add(path, "It cannot be read.")
        }
        return nil
    }

    private mutating func readSource() {
        guard let text = text("source.md") else { return }
        var fields = FrontMatterFields("source.md", FrontMatter(text))
        var settings = HubSettingsChange()
        settings.allowsScripts = fields.flag("scripts")
        settings.appSchemes = fields.list("app-schemes")
        settings.language = fields.text("language")
        settings.usesTypographicPunctuation = fields.flag("typographic-punctuation")
        manifest.settings = settings
        manifest.allowedURLs = fields.list("allowed-urls")
        manifest.allowedDomains = fields.list("allowed-domains")
        manifest.note = fields.text("note")
        fields.finish()
        faults.add(fields.faults)
        origins["source"] = HubItemFile(path: "source.md", matter: fields.matter)
    }

    private mutating func readItem(_ path: String, _ kind: HubKind) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let isHTML = name.hasSuffix(".html")
        guard isHTML || name.hasSuffix(".md") else {
            faults.add(path, "Only files that end in .md or .html are read here.")
            return
        }
        let id = String(name.dropLast(isHTML ? 5 : 3))
        guard HubReference.isID(id) else {
            faults.add(path, "The name is the id: " + HubCheck.idRule)
            return
        }
        let place = "\(kind.rawValue) \(id)"
        if let other = origins[place] {
            faults.add(path, "There is \(other.path) with the same id.")
            return
        }
        guard let text = text(path) else { return }
        var fields = FrontMatterFields(path, FrontMatter(text))
        let isDraft = fields.flag("draft") ?? false
        let draft = draft(&fields, kind, isHTML: isHTML)
        fields.finish()
        faults.add(fields.faults)
        origins[place] = HubItemFile(path: path, matter: fields.matter)
        if !isDraft { manifest.items.append(HubManifest.Item(kind, id, draft)) }
    }

    private func draft(_ fields: inout FrontMatterFields, _ kind: HubKind, isHTML: Bool) -> HubDraft {
        var draft = HubDraft(title: fields.required("title") ?? "…")
        draft.summary = fields.text("summary")
        draft.tags = fields.list("tags") ?? []
        draft.image = fields.text("image").map { HubPageWriter.assetPath($0) ?? $0 }
        draft.imageText = fields.text("image-text")
        draft.body = fields.matter.body.trimmingCharacters(in: .newlines)
        draft.format = isHTML ? .html : .markdown
        draft.order = fields.number("order")
        if kind != .channel { draft.channels = fields.list("channels") ?? [] }
        if kind == .article {
            draft.publishAt = fields.date("date")
            draft.allowsScripts = fields.flag("scripts") ?? false
        }
        return draft
    }

    private mutating func readNotification(_ path: String) {
        let id = String(path.dropFirst("notifications/".count).dropLast(3))
        guard path.hasSuffix(".md"), HubReference.isID(id) else {
            faults.add(path, "The file must end in .md; its name is the id: " + HubCheck.idRule)
            return
        }
        guard let text = text(path) else { return }
        var fields = FrontMatterFields(path, FrontMatter(text))
        let moment = fields.date("date")
        if moment == nil, fields.faults.items.isEmpty {
            fields.fault(nil, "'date' is missing: the time at which the notification is shown.")
        }
        let message = fields.matter.body.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let item = HubNotification(
            id: id, fireAt: moment ?? now, title: fields.text("title"), message: message,
            action: fields.text("action"), tags: fields.list("tags") ?? [])
        fields.finish()
        faults.add(fields.faults)
        origins["notifications[\(manifest.notifications.count)]"] = HubItemFile(
            path: path, matter: fields.matter)
        manifest.notifications.append(item)
    }

    private mutating func readAsset(_ path: String) {
        guard HubPath.isAsset(path) || HubPath.isTemplate(path), let media = HubMedia(path: path) else {
            faults.add(
                path,
                path.hasPrefix("templates/")
                    ? "A template is article.html, hub.html or channel.html."
                    : "The name may have lower-case letters, digits, '-', '_' and '.', and must end in a known type."
            )
            return
        }
        do {
            manifest.assets[path] = try files.blob(path, limit: media.maximumBytes)
            if media.isPicture {
                let head = try files.head(path, count: PictureBytes.headLength)
                if let fault = PictureBytes.fault(head, media) { faults.add(path, fault) }
            }
            urls[path] = files.url(path)
        } catch let found as HubFaults {
            faults.add(found)
        } catch {
            faults.add(path, "It cannot be read.")
        }
    }

    // MARK: The whole folder

    /// Checks the rules that concern the whole folder: references, missing files, templates, limits.
    private mutating func checkReferences() {
        let source = HubSource(trial: manifest, now: now)
        do {
            try HubContentStore.check(manifest, settings: source.settings)
        } catch let found as HubFaults {
            faults.add(placed(found))
            return
        } catch {
            faults.add("source", "\(error)")
        }
        do {
            var compiler = HubCompiler(
                source, items: manifest.items.map { HubItem(trial: $0, now: now) },
                assets: manifest.assets.filter { !HubPath.isTemplate($0.key) }, templates: try templates(),
                styles: try styles(), now: now)
            warnings = try compiler.compile().warnings.map(origins.located)
        } catch let found as HubFaults {
            faults.add(placed(found))
        } catch {
            faults.add("source", "\(error)")
        }
    }

    private func templates() throws -> [HubKind: String] {
        var templates: [HubKind: String] = [:]
        for kind in HubKind.allCases where manifest.assets["templates/\(kind.rawValue).html"] != nil {
            let path = "templates/\(kind.rawValue).html"
            templates[kind] = try TextFile.text(
                files.data(path, limit: HubLimits.maximumFileBytes), of: path)
        }
        return templates
    }

    private func styles() throws -> [String: String] {
        var styles: [String: String] = [:]
        for path in manifest.assets.keys where HubMedia(path: path) == .css {
            styles[path] = TextFile.lenientText(try files.data(path, limit: HubLimits.maximumFileBytes))
        }
        return styles
    }

    /// Returns the faults with the file and line of the item that each is about.
    private func placed(_ found: HubFaults) -> HubFaults {
        found.changingItems { item in
            guard let origin = origins.file(of: item) else { return }
            item.place = origin.path
            item.line = origin.line(of: item)
        }
    }
}
