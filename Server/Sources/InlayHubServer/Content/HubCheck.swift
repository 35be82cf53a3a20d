import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The checks of every draft, policy and announcement, from the Workbench, a folder or the API.
enum HubCheck {
    /// Throws ``FieldErrors`` with everything that is wrong with a draft.
    static func validate(_ draft: HubDraft, _ kind: HubKind) throws {
        let errors = faults(of: draft, kind)
        try errors.throwIfAny()
    }

    static func faults(of draft: HubDraft, _ kind: HubKind) -> FieldErrors {
        var errors = FieldErrors()
        errors.line("title", draft.title, maximum: HubLimits.maximumTitleCharacters, isRequired: true)
        errors.line("summary", draft.summary, maximum: HubLimits.maximumSummaryCharacters)
        errors.line("imageText", draft.imageText, maximum: HubLimits.maximumSummaryCharacters)
        errors.tags("tags", draft.tags)
        if let image = draft.image {
            if !HubPath.isAsset(image) {
                errors.add("image", "A path such as assets/quay.svg.")
            } else if HubMedia(path: image)?.isPicture != true {
                errors.add("image", "A picture: svg, png, jpg, webp, gif or avif.")
            }
        }
        if draft.body.utf8.count > HubLimits.maximumBodyBytes {
            errors.add("body", "At most \(HubLimits.maximumBodyBytes) bytes.")
        }
        if draft.body.utf8.contains(0) { errors.add("body", "It must not hold a NUL character.") }
        if kind == .article, draft.body.allSatisfy(\.isWhitespace) {
            errors.add("body", "An article has a text.")
        }
        channels(draft.channels, kind, &errors)
        if let order = draft.order, !(0...1_000_000).contains(order) {
            errors.add("order", "From 0 to 1000000.")
        }
        if draft.allowsScripts, kind != .article {
            errors.add("allowsScripts", "Only an article may ask for scripts.")
        }
        return errors
    }

    private static func channels(_ ids: [String], _ kind: HubKind, _ errors: inout FieldErrors) {
        if kind == .channel, !ids.isEmpty { errors.add("channels", "A channel has no channels.") }
        if ids.count > 100 { errors.add("channels", "At most 100.") }
        for (index, id) in ids.enumerated() where !HubReference.isID(id) {
            errors.add("channels[\(index)]", idRule)
        }
        if Set(ids).count < ids.count { errors.add("channels", "Each channel once.") }
    }

    /// Throws `invalid-value` unless the text may name a source or an item.
    static func id(_ id: String, _ field: String = "id") throws {
        if let fault = fault(ofID: id) { throw FieldErrors(field, fault) }
    }

    /// Returns the reason why the text may not name a source or an item that is new; `nil` when it may.
    static func fault(ofID id: String) -> String? {
        HubReference.isID(id) ? WindowsName.fault(id) : idRule
    }

    static let idRule = "1 to 64 of the letters a–z, digits and '-', not at its ends."

    /// Whether the text can be a URL scheme of an app's own.
    static func isAppScheme(_ text: String) -> Bool {
        let reserved: Set = [
            "http", "https", "javascript", "data", "file", "blob", "about", "vbscript", "hub",
        ]
        return text.wholeMatch(of: /[a-z][a-z0-9+.-]{1,31}/) != nil && !reserved.contains(text)
    }

    static func validate(_ settings: HubSettings) throws {
        var errors = FieldErrors()
        for (index, scheme) in settings.appSchemes.enumerated() where !isAppScheme(scheme) {
            errors.add("appSchemes[\(index)]", "A scheme of the app's own, in lower case.")
        }
        if settings.appSchemes.count > 20 { errors.add("appSchemes", "At most 20.") }
        if settings.language.wholeMatch(of: /[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}/) == nil {
            errors.add("language", "A language tag such as en or pt-BR.")
        }
        if !(1...720).contains(settings.timestampHours) { errors.add("timestampHours", "From 1 to 720.") }
        if !(1...730).contains(settings.contentDays) { errors.add("contentDays", "From 1 to 730.") }
        if !(1...3650).contains(settings.rootDays) { errors.add("rootDays", "From 1 to 3650.") }
        try errors.throwIfAny()
    }

    static func validate(_ notifications: [HubNotification], _ settings: HubSettings) throws {
        var errors = FieldErrors()
        if notifications.count > HubLimits.maximumNotifications {
            errors.add("notifications", "At most \(HubLimits.maximumNotifications).")
        }
        if Set(notifications.map(\.id)).count < notifications.count {
            errors.add("notifications", "Each id once.")
        }
        for (index, item) in notifications.enumerated() {
            let prefix = "notifications[\(index)]"
            if !HubReference.isID(item.id) { errors.add("\(prefix).id", idRule) }
            errors.line("\(prefix).title", item.title, maximum: HubLimits.maximumTitleCharacters)
            errors.line(
                "\(prefix).message", item.message, maximum: HubLimits.maximumSummaryCharacters,
                isRequired: true)
            errors.tags("\(prefix).tags", item.tags)
            if let action = item.action, HubReference(uri: action) == nil,
                !settings.appSchemes.contains(where: { action.hasPrefix($0 + ":") })
            {
                errors.add("\(prefix).action", "hub:article/<id> or an address of one of the app's schemes.")
            }
        }
        try errors.throwIfAny()
    }

    static func validate(_ policy: HubPolicy) throws {
        var errors = FieldErrors()
        errors.line("disabledReason", policy.disabledReason, maximum: HubLimits.maximumSummaryCharacters)
        let lists = [
            ("recalledArticles", policy.recalledArticles), ("allowedURLs", policy.allowedURLs),
            ("allowedDomains", policy.allowedDomains),
        ]
        for (field, list) in lists where list.count > HubLimits.maximumPolicyEntries {
            errors.add(field, "At most \(HubLimits.maximumPolicyEntries).")
        }
        for (index, id) in policy.recalledArticles.enumerated() where !HubReference.isID(id) {
            errors.add("recalledArticles[\(index)]", idRule)
        }
        for (index, url) in policy.allowedURLs.enumerated() where !isOutsideURL(url) {
            errors.add("allowedURLs[\(index)]", "A whole address that begins with https://.")
        }
        for (index, host) in policy.allowedDomains.enumerated() where !isHost(host) {
            errors.add(
                "allowedDomains[\(index)]", "A host's name in lower case, for example www.example.org.")
        }
        if !(0...3_155_760_000).contains(policy.staleness.afterSeconds) {
            errors.add("staleness.afterSeconds", "From 0 to 100 years.")
        }
        try errors.throwIfAny()
    }

    private static func isOutsideURL(_ text: String) -> Bool {
        guard text.utf8.count <= 2_000, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let url = URLComponents(string: text), url.scheme == "https", url.user == nil
        else { return false }
        return isHost(url.host ?? "")
    }

    static func isHost(_ text: String) -> Bool {
        text.utf8.count <= 253
            && text.wholeMatch(of: /[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+/) != nil
    }
}

extension FieldErrors {
    /// Adds a fault unless the text is one line without control characters and of at most `maximum` characters.
    fileprivate mutating func line(_ field: String, _ text: String?, maximum: Int, isRequired: Bool = false) {
        guard let text else { return }
        if isRequired, text.allSatisfy(\.isWhitespace) { add(field, "This must not be empty.") }
        if text.count > maximum || text.utf8.count > maximum * 4 {
            add(field, "At most \(maximum) characters.")
        }
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            add(field, "One line, without control characters.")
        }
    }

    fileprivate mutating func tags(_ field: String, _ tags: [String]) {
        if tags.count > HubLimits.maximumTags { add(field, "At most \(HubLimits.maximumTags).") }
        for (index, tag) in tags.enumerated() {
            line("\(field)[\(index)]", tag, maximum: HubLimits.maximumTagCharacters, isRequired: true)
        }
        if Set(tags).count < tags.count { add(field, "Each tag once.") }
    }
}
