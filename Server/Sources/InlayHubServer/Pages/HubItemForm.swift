import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The typed fields of a hub, a channel or an article.
struct HubItemForm {
    let kind: HubKind
    private let form: FormFields
    private let zone: CalendarZone

    init(_ form: FormFields, _ kind: HubKind, in zone: CalendarZone) {
        (self.form, self.kind, self.zone) = (form, kind, zone)
    }

    /// Creates the form of a saved draft.
    init(_ draft: HubDraft, _ kind: HubKind, in zone: CalendarZone) {
        (self.kind, self.zone) = (kind, zone)
        var pairs = [
            ("title", draft.title), ("summary", draft.summary ?? ""),
            ("tags", draft.tags.joined(separator: ", ")), ("image", draft.image ?? ""),
            ("imageText", draft.imageText ?? ""), ("body", draft.body), ("format", draft.format.rawValue),
            ("order", draft.order.map { "\($0)" } ?? ""),
            ("publishAt", draft.publishAt.map { TypedText.field($0, in: zone) } ?? ""),
            ("allowsScripts", draft.allowsScripts ? "on" : ""),
            ("channelOrder", draft.channels.joined(separator: ", ")),
        ]
        pairs += draft.channels.map { ("channel.\($0)", "on") }
        form = FormFields(pairs)
    }

    /// Returns the draft, and the faults of fields that could not be read.
    func draft(channels known: [HubItem]) -> (HubDraft, FieldErrors) {
        var faults = FieldErrors()
        var order: Int?
        if !form.trimmed("order").isEmpty { order = TypedText.number(form, "order", &faults) }
        var publishAt: Timestamp?
        if !form.trimmed("publishAt").isEmpty {
            publishAt = TypedText.moment(form.trimmed("publishAt"), in: zone)
            if publishAt == nil { faults.add("publishAt", "A date and a time.") }
        }
        let draft = HubDraft(
            title: form.trimmed("title"), summary: text("summary"), tags: TypedText.words(form["tags"]),
            image: text("image"), imageText: text("imageText"), body: form["body"] ?? "",
            format: HubDraft.Format(rawValue: form["format"] ?? "") ?? .markdown,
            channels: channels(known), order: order, publishAt: publishAt,
            allowsScripts: form.isOn("allowsScripts"))
        return (draft, faults)
    }

    /// Returns the channels that are ticked for an article, or typed for a hub, in the typed order.
    private func channels(_ known: [HubItem]) -> [String] {
        switch kind {
        case .channel: []
        case .article: known.map(\.id).filter { form.isOn("channel.\($0)") }
        case .hub: TypedText.words(form["channelOrder"])
        }
    }

    private func text(_ name: String) -> String? {
        let text = form.trimmed(name)
        return text.isEmpty ? nil : text
    }

    /// Returns the fields with the typed values.
    func fields(_ source: HubSource, channels known: [HubItem], pictures: [String]) -> [FieldView] {
        var fields = [
            FieldView.line("title", "Title", form["title"] ?? "").with { $0.isWide = true },
            .area("summary", "Summary", form["summary"] ?? "", rows: 2).with { $0.isWide = true },
            .line("tags", "Tags", form["tags"] ?? "", hint: "Between commas."),
            .choice(
                "image", "Picture", form["image"] ?? "",
                of: [("", "None")] + pictures.map { ($0, String($0.dropFirst("assets/".count))) }),
            .line(
                "imageText", "Alternative text", form["imageText"] ?? "",
                hint: "Describes the picture for people who cannot see it."),
        ]
        switch kind {
        case .channel: break
        case .article: fields += articleFields(source, known)
        case .hub:
            fields.append(
                .line(
                    "channelOrder", "Channels", form["channelOrder"] ?? "",
                    hint: "In their order: " + known.map(\.id).joined(separator: ", ")))
        }
        if kind != .channel {
            fields.append(
                .line("order", "Place", form["order"] ?? "", hint: "Lower comes first; empty comes last.")
                    .with { $0.mode = "numeric" })
        }
        fields.append(
            .choice(
                "format", "Written in", form["format"] ?? "markdown",
                of: [("markdown", "Markdown"), ("html", "HTML")]))
        fields.append(
            .area(
                "body", "Text", form["body"] ?? "",
                hint: "Files: assets/name.svg. Links to other content: hub:article/its-id.", rows: 18
            ).with {
                $0.isWide = true
                $0.style = "mono"
            })
        return fields
    }

    private func articleFields(_ source: HubSource, _ known: [HubItem]) -> [FieldView] {
        var fields = known.map { channel in
            FieldView.check(
                "channel.\(channel.id)", "In “\(channel.draft.title)”", form.isOn("channel.\(channel.id)"))
        }
        fields.append(
            .moment(
                "publishAt", "Date", form["publishAt"] ?? "", in: zone,
                hint: "With a date in the future, it is published at that moment."))
        if source.settings.allowsScripts {
            fields.append(
                .check(
                    "allowsScripts", "Runs its scripts", form.isOn("allowsScripts"),
                    hint: "In a sandboxed frame."))
        }
        return fields
    }
}
