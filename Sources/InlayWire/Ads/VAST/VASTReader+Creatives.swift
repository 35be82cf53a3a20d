extension VASTReader {
    /// Adds a creative to the ad. Throws for a video that cannot be shown, which refuses the ad; other unusable parts
    /// are left out.
    mutating func creative(_ element: XMLTree, isWrapper: Bool, into ad: inout VASTAd) throws(VASTError) {
        for part in element.elements {
            var content: VASTCreative.Content?
            switch part.vastName {
            case "Linear": content = .linear(try linear(part, isWrapper: isWrapper))
            case "NonLinearAds": content = .nonLinear(nonLinear(part))
            case "CompanionAds": content = .companions(companions(part))
            default: break
            }
            guard let content else { continue }
            var creative = VASTCreative(content, id: element.attribute("id"))
            creative.sequence = element.attribute("sequence").flatMap(Int.init)
            creative.apiFramework = element.attribute("apiFramework")
            creative.universalIDs = universalIDs(element)
            ad.creatives.append(creative)
        }
    }

    private func universalIDs(_ creative: XMLTree) -> [VASTUniversalID] {
        let elements = creative.elements.filter { $0.vastName == "UniversalAdId" }.prefix(limits.files)
        let ids = elements.map { element in
            // Version 4.0 has the id in an attribute, 4.1 in the element.
            VASTUniversalID(
                registry: element.attribute("idRegistry") ?? "",
                value: element.attribute("idValue") ?? element.trimmedText)
        }.filter { !$0.value.isEmpty }
        guard ids.isEmpty, let old = creative.attribute("adId", "AdID", "adID") else { return ids }
        return [VASTUniversalID(registry: "", value: old)]
    }

    private mutating func linear(_ element: XMLTree, isWrapper: Bool) throws(VASTError) -> VASTLinear {
        var linear = VASTLinear()
        linear.skipOffset = offset(element, "skipoffset", "Linear")
        var hasFiles = false
        for child in element.elements {
            switch child.vastName {
            case "Duration": linear.duration = VASTOffset.length(child.trimmedText)
            case "TrackingEvents": linear.tracking = tracking(child, "Linear")
            case "VideoClicks": clicks(child, into: &linear)
            case "Icons": linear.icons = icons(child)
            case "AdParameters": linear.parameters = child.text
            case "MediaFiles":
                hasFiles = child.children.contains { $0.vastName == "MediaFile" }
                files(child, into: &linear)
            default: break
            }
        }
        guard !isWrapper else { return linear }
        guard linear.duration != nil else { throw VASTError(.invalid, "a video without a duration") }
        guard hasFiles else { throw VASTError(.invalid, "a video without media files") }
        guard !linear.mediaFiles.isEmpty else {
            throw VASTError(.noPlayableFile, "no media file with an https address and a type")
        }
        return linear
    }

    private mutating func clicks(_ element: XMLTree, into linear: inout VASTLinear) {
        for child in element.elements {
            switch child.vastName {
            case "ClickThrough": link(child, "ClickThrough") { linear.clickThrough = $0 }
            case "ClickTracking": link(child, "ClickTracking") { linear.clickTracking.append($0) }
            case "CustomClick": link(child, "CustomClick") { linear.customClicks.append($0) }
            default: break
            }
        }
    }

    private mutating func tracking(_ element: XMLTree, _ owner: String) -> [VASTTracking] {
        var all: [VASTTracking] = []
        for child in element.elements where child.vastName == "Tracking" {
            guard let name = child.attribute("event") else {
                fault("\(owner)/Tracking", "no event")
                continue
            }
            let event = VASTEvent(rawValue: name)
            let moment = event == .progress ? offset(child, "offset", "\(owner)/Tracking") : nil
            if event == .progress, moment == nil {
                fault("\(owner)/Tracking", "progress without an offset")
                continue
            }
            link(child, "\(owner)/Tracking", event: "\(owner) \(name)") {
                all.append(VASTTracking(event, $0.address, offset: moment))
            }
        }
        return all
    }

    private mutating func offset(_ element: XMLTree, _ name: String, _ path: String) -> VASTOffset? {
        guard let text = element.attribute(name) else { return nil }
        let offset = VASTOffset(text)
        if offset == nil { fault(path, "\(name) is no time") }
        return offset
    }
}

// MARK: Companions and icons

extension VASTReader {
    private mutating func companions(_ element: XMLTree) -> VASTCompanions {
        var companions = VASTCompanions()
        companions.required =
            element.attribute("required").flatMap { .init(rawValue: $0.lowercased()) } ?? .none
        companions.all = banners(element, named: "Companion")
        return companions
    }

    private mutating func nonLinear(_ element: XMLTree) -> VASTNonLinear {
        var nonLinear = VASTNonLinear()
        nonLinear.all = banners(element, named: "NonLinear")
        for child in element.elements where child.vastName == "TrackingEvents" {
            nonLinear.tracking = tracking(child, "NonLinear")
        }
        return nonLinear
    }

    private mutating func banners(_ element: XMLTree, named name: String) -> [VASTCompanion] {
        var banners: [VASTCompanion] = []
        for child in element.elements where child.vastName == name {
            guard banners.count < limits.files else {
                fault(name, "more than \(limits.files)")
                break
            }
            banners.append(banner(child, name))
        }
        return banners
    }

    private mutating func banner(_ element: XMLTree, _ name: String) -> VASTCompanion {
        var banner = VASTCompanion()
        banner.id = element.attribute("id")
        banner.width = element.number("width") ?? 0
        banner.height = element.number("height") ?? 0
        banner.slotID = element.attribute("adSlotId", "adSlotID")
        banner.rendering = element.attribute("renderingMode") ?? "default"
        banner.resources = resources(element, name)
        for child in element.elements {
            switch child.vastName {
            case "AltText": banner.alternative = child.trimmedText
            case "CompanionClickThrough", "NonLinearClickThrough":
                link(child, "\(name)ClickThrough") { banner.clickThrough = $0 }
            case "CompanionClickTracking", "NonLinearClickTracking":
                link(child, "\(name)ClickTracking") { banner.clickTracking.append($0) }
            case "TrackingEvents": banner.tracking = tracking(child, name)
            default: break
            }
        }
        return banner
    }

    private mutating func icons(_ element: XMLTree) -> [VASTIcon] {
        var icons: [VASTIcon] = []
        for child in element.elements where child.vastName == "Icon" {
            guard icons.count < limits.files else {
                fault("Icon", "more than \(limits.files)")
                break
            }
            icons.append(icon(child))
        }
        return icons
    }

    private mutating func icon(_ element: XMLTree) -> VASTIcon {
        var icon = VASTIcon()
        icon.program = element.attribute("program") ?? ""
        icon.width = element.number("width") ?? 0
        icon.height = element.number("height") ?? 0
        icon.xPosition = element.attribute("xPosition") ?? "left"
        icon.yPosition = element.attribute("yPosition") ?? "top"
        icon.offset = offset(element, "offset", "Icon")
        icon.duration = element.attribute("duration").flatMap(VASTOffset.duration)
        icon.resources = resources(element, "Icon")
        for child in element.elements {
            switch child.vastName {
            case "IconViewTracking": link(child, "IconViewTracking") { icon.views.append($0.address) }
            case "IconClicks":
                for click in child.elements {
                    switch click.vastName {
                    case "IconClickThrough": link(click, "IconClickThrough") { icon.clickThrough = $0 }
                    case "IconClickTracking":
                        link(click, "IconClickTracking") { icon.clickTracking.append($0) }
                    default: break
                    }
                }
            default: break
            }
        }
        return icon
    }

    private mutating func resources(_ element: XMLTree, _ owner: String) -> [VASTResource] {
        var resources: [VASTResource] = []
        for child in element.elements {
            switch child.vastName {
            case "StaticResource":
                // Only images are shown; a static resource may also be a script.
                guard let type = child.attribute("creativeType", "type")?.lowercased(),
                    type.hasPrefix("image/")
                else {
                    fault("\(owner)/StaticResource", "not an image")
                    continue
                }
                address(child, "\(owner)/StaticResource") { resources.append(.file($0, type: type)) }
            case "IFrameResource":
                address(child, "\(owner)/IFrameResource") { resources.append(.frame($0)) }
            case "HTMLResource":
                if !child.trimmedText.isEmpty { resources.append(.html(child.trimmedText)) }
            default: break
            }
        }
        return Array(resources.prefix(limits.files))
    }
}
