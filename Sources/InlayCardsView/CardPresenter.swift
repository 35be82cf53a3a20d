@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// The conversion of a card to its view model.
struct CardPresenter {
    let item: CardListItem
    let configuration: CardListConfiguration
    let media: SurfaceMedia
    let problems: [String: String]
    /// The texts that the user typed, by input name. Other inputs have their defaults.
    let entered: [String: String]
    let isBusy: Bool

    func card() -> CardView {
        let menu = menuItems
        return CardView(
            card: item.id, domID: domID, label: label, nodes: views(of: item.layout.nodes, at: [], in: nil),
            menu: menu, quickActions: quickActions,
            moreLabel: menu.isEmpty ? nil : "\(configuration.text(.moreActions)): \(label)", busy: busy)
    }

    func subview(_ id: String) -> SubviewView? {
        item.layout.subviews[id].map {
            SubviewView(
                card: item.id, id: id, level: 1, title: $0.title, back: configuration.text(.back),
                nodes: views(of: $0.nodes, at: [], in: id), busy: busy)
        }
    }

    private var busy: String? { isBusy ? configuration.text(.working) : nil }
    private var domID: String { DOMName.make(item.id) }

    /// The label for screen readers: the first headline, else the first category, else the first text.
    private var label: String {
        let nodes = item.layout.nodes.flatMap(\.flattened)
        for node in nodes { if case .headline(let label) = node { return label } }
        for node in nodes { if case .category(let label) = node { return label } }
        for node in nodes { if case .text(let text) = node { return String(text.rich.plainText.prefix(80)) } }
        return configuration.text(.cardListTitle)
    }

    // MARK: Menu and swipe

    private var menuItems: [CardView.MenuItem] {
        let options = item.layout.options
        var items: [CardView.MenuItem] = []
        if configuration.votingOptions.contains(.useful), !options.voteUpOverflowDisabled {
            items.append(
                .init(event: "vote-useful", label: configuration.text(.votingUseful), icon: "icons/up"))
        }
        if configuration.votingOptions.contains(.notUseful), !options.voteDownOverflowDisabled {
            items.append(
                .init(
                    event: "vote-not-useful", label: configuration.text(.votingNotUseful), icon: "icons/down")
            )
        }
        if !options.snoozeOverflowDisabled { items.append(snooze) }
        if !options.dismissOverflowDisabled { items.append(dismiss) }
        return items
    }

    private var quickActions: [CardView.MenuItem] {
        let options = item.layout.options
        return (options.snoozeSwipeDisabled ? [] : [snooze]) + (options.dismissSwipeDisabled ? [] : [dismiss])
    }

    private var snooze: CardView.MenuItem {
        .init(event: "open-snooze", label: configuration.text(.cardSnoozeTitle), icon: "icons/snooze")
    }

    private var dismiss: CardView.MenuItem {
        .init(event: "dismiss", label: configuration.text(.dismiss), icon: "icons/dismiss")
    }

    // MARK: Elements

    /// Returns the views of one level. Consecutive buttons become one group.
    private func views(of nodes: [CardNode], at path: [Int], in subview: String?) -> [NodeView] {
        var views: [NodeView] = []
        for (index, node) in nodes.enumerated() {
            let here = CardNodePath(subview: subview, indexes: path + [index])
            if let button = button(node, here) {
                if views.last?.buttons != nil {
                    views[views.count - 1].buttons?.append(button)
                } else {
                    views.append(NodeView(buttons: [button]))
                }
            } else if let view = view(of: node, here) {
                views.append(view)
            }
        }
        return views
    }

    private func view(of node: CardNode, _ path: CardNodePath) -> NodeView? {
        switch node {
        case .category(let label): return label.isEmpty ? nil : NodeView(category: label)
        case .headline(let label): return label.isEmpty ? nil : NodeView(headline: label)
        case .text(let text): return NodeView(text: RichTextHTML.render(text.rich))
        case .list(let list): return NodeView(list: listView(list))
        case .image(let image): return NodeView(image: imageView(image, path))
        case .textInput(let input): return NodeView(field: fieldView(input, path))
        case .numberInput(let input): return NodeView(field: fieldView(input, path))
        // HTML has no nested forms, and the format of cards does not limit their depth.
        case .form(let children): return path.indexes.count > 1 ? nil : form(children, path)
        case .submitButton, .dismissButton, .snoozeButton, .linkButton, .unknown: return nil
        }
    }

    private func form(_ children: [CardNode], _ path: CardNodePath) -> NodeView {
        NodeView(form: NodeView.FormView(nodes: views(of: children, at: path.indexes, in: path.subview)))
    }

    private func listView(_ list: CardList) -> NodeView.ListView {
        let items = list.items.map { RichTextHTML.renderInline($0.rich) }
        return switch list.style {
        case .ordered: .init(ordered: items)
        case .unordered: .init(unordered: items)
        case .comma: .init(commaSeparated: SafeHTML(markup: items.map(\.markup).joined(separator: ", ")))
        }
    }

    private func imageView(_ image: CardImage, _ path: CardNodePath) -> ImageView {
        let target = image.action.flatMap { self.target($0, path) }
        let isSized = (image.pixelWidth ?? 0) > 0 && (image.pixelHeight ?? 0) > 0
        return ImageView(
            source: media.source(of: image.url), alternateText: image.alternateText,
            height: image.height.rawValue, pixelWidth: isSized ? image.pixelWidth : nil,
            pixelHeight: isSized ? image.pixelHeight : nil, anchor: target?.anchor, press: target?.press)
    }

    private func fieldView(_ input: CardTextInput, _ path: CardNodePath) -> FieldView {
        let lines = min(max(input.lines ?? 1, 1), 20)
        return FieldView(
            domID: fieldID(path), name: input.name, label: input.label, placeholder: input.placeholder,
            value: entered[input.name] ?? input.defaultValue ?? "", isArea: lines > 1, lines: lines,
            isNumber: false,
            isRequired: input.rules.required?.value ?? false, problem: problems[input.name])
    }

    private func fieldView(_ input: CardNumberInput, _ path: CardNodePath) -> FieldView {
        FieldView(
            domID: fieldID(path), name: input.name, label: input.label, placeholder: input.placeholder,
            value: entered[input.name] ?? input.defaultValue.map(\.decimalText) ?? "", isArea: false,
            lines: 1,
            isNumber: true, isRequired: input.rules.required?.value ?? false, problem: problems[input.name])
    }

    private func fieldID(_ path: CardNodePath) -> String {
        [domID, path.subview.map(DOMName.make), DOMName.make(path.text)].compactMap { $0 }.joined(
            separator: "-")
    }

    // MARK: Buttons

    private func button(_ node: CardNode, _ path: CardNodePath) -> ButtonView? {
        func press(_ event: String) -> Press { Press(event: event, node: path.text) }
        switch node {
        case .submitButton(let button):
            return ButtonView(
                label: button.text, isPrimary: true, isSubmit: true, isDisabled: isBusy,
                press: press("submit"))
        case .dismissButton(let label):
            return ButtonView(
                label: label, isPrimary: false, isSubmit: false, isDisabled: isBusy, press: press("dismiss"))
        case .snoozeButton(let button):
            return ButtonView(
                label: button.text, isPrimary: false, isSubmit: false, isDisabled: isBusy,
                press: press(button.seconds == nil ? "open-snooze" : "snooze"))
        case .linkButton(let button):
            let target = self.target(button.action, path)
            return ButtonView(
                label: button.text, isPrimary: false, isSubmit: false, isDisabled: target == nil,
                anchor: target?.anchor, press: target?.press)
        default: return nil
        }
    }

    /// Returns the effect of a tap: a browser follows web, mail and phone links; all others are events for the app.
    /// `nil` for a link that is not allowed.
    private func target(_ action: CardLinkAction, _ path: CardNodePath) -> (anchor: Anchor?, press: Press?)? {
        switch action {
        case .subview(let id): return subviewPress(id, path)
        case .payload: return (nil, Press(event: "link", node: path.text))
        case .url(let address):
            switch LinkTarget(address) {
            case .address(let href): return (Anchor(href: href, node: path.text), nil)
            case .subview(let id): return subviewPress(id, path)
            case nil:
                return LinkTarget.isForApp(address) ? (nil, Press(event: "link", node: path.text)) : nil
            }
        }
    }

    private func subviewPress(_ id: String, _ path: CardNodePath) -> (anchor: Anchor?, press: Press?)? {
        guard item.layout.subviews[id] != nil else { return nil }
        return (nil, Press(event: "open-subview", node: path.text, subview: id))
    }
}
