import InlayOpenRTB
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The form of a campaign.
enum AdCampaignForm: AdRecordForm {
    static let folder = "campaigns"
    static let columns = ["Priority", "Price", "Goal"]

    static func cells(_ record: AdCampaign) -> [String] {
        [
            record.isHouse ? "house" : "\(record.priority)", AdAmount.words(micros: record.cpmMicros),
            record.goal.map { Count.grouped(Int($0)) } ?? "none",
        ]
    }

    static var blank: FormFields { FormFields([("isEnabled", "on"), ("priority", "5")]) }

    static func values(_ campaign: AdCampaign) -> FormFields {
        func whole(_ number: Int64?) -> String { number.map(String.init) ?? "" }
        return FormFields(
            [
                ("name", campaign.name), ("priority", "\(campaign.priority)"),
                ("isHouse", campaign.isHouse ? "on" : ""), ("cpmMicros", Micros.text(campaign.cpmMicros)),
                ("budgetMicros", campaign.budgetMicros.map(Micros.text) ?? ""),
                ("goal", whole(campaign.goal)), ("dailyGoal", whole(campaign.dailyGoal)),
                ("startsAt", campaign.startsAt?.rfc3339 ?? ""), ("endsAt", campaign.endsAt?.rfc3339 ?? ""),
                ("pacing", campaign.pacing.rawValue), ("cap", campaign.cap.map { "\($0.count)" } ?? ""),
                ("capHours", campaign.cap.map { "\($0.seconds / 3_600)" } ?? ""),
                ("segmentID", campaign.segmentID?.rawValue ?? ""),
                ("isEnabled", campaign.isEnabled ? "on" : ""),
            ] + campaign.unitIDs.map { ("unitIDs", $0.rawValue) })
    }

    static func fields(_ values: FormFields, _ choices: AdFormChoices) -> [FieldView] {
        [
            .line("name", "Name", values["name"] ?? ""),
            .whole("priority", "Priority", values["priority"], hint: "1 comes first, 10 last."),
            .check(
                "isHouse", "House campaign", values.isOn("isHouse"),
                hint: "Only if neither a campaign nor a bidder filled the request."),
            .amount("cpmMicros", "Price", values["cpmMicros"], in: "USD CPM"),
            .amount("budgetMicros", "Budget", values["budgetMicros"], in: "USD", hint: "Empty: no limit."),
            .whole("goal", "Goal", values["goal"], in: "impressions", hint: "Empty: no limit."),
            .whole(
                "dailyGoal", "Daily goal", values["dailyGoal"], in: "impressions a day",
                hint: "Empty: no limit."),
            .choice(
                "pacing", "Pace", values["pacing"] ?? "",
                of: [("asap", "as fast as requests come"), ("even", "evenly over its time and each day")]),
            choices.momentField("startsAt", "Start", values), choices.momentField("endsAt", "End", values),
            .whole(
                "cap", "Frequency cap", values["cap"], in: "times",
                hint: "Impressions per person. Empty: no limit."),
            .whole("capHours", "Within", values["capHours"], in: "hours"),
            .choice(
                "segmentID", "Shown to", values["segmentID"] ?? "",
                of: choices.segments(with: values["segmentID"] ?? "")),
            choices.unitField(values), .enabled(values),
        ]
    }

    static func record(
        _ typed: AdFormReader, id: AdCampaignID?, parentID: AdNoParentID, faults: inout FieldErrors
    ) -> AdCampaign {
        let count = typed.whole("cap", &faults), hours = typed.whole("capHours", &faults)
        if count != nil, hours == nil { faults.add("capHours", "A cap needs its hours.") }
        if let hours, !(1...8_784).contains(hours) { faults.add("capHours", "From 1 to 8784 hours, a year.") }
        let segment = typed.text("segmentID")
        return AdCampaign(
            id: id ?? .make(), name: typed.text("name"),
            priority: typed.number("priority", &faults),
            isHouse: typed.isOn("isHouse"), cpmMicros: typed.micros("cpmMicros", &faults) ?? 0,
            budgetMicros: typed.micros("budgetMicros", maximum: AdMoney.maximumBudgetMicros, &faults),
            goal: typed.whole("goal", &faults),
            dailyGoal: typed.whole("dailyGoal", &faults), startsAt: typed.moment("startsAt", &faults),
            endsAt: typed.moment("endsAt", &faults), pacing: typed.choice("pacing", or: .asap),
            cap: count.map {
                .init(
                    count: Int($0), seconds: (hours ?? 0).multipliedReportingOverflow(by: 3_600).partialValue)
            },
            segmentID: segment.isEmpty ? nil : SegmentID(segment), unitIDs: typed.unitIDs,
            isEnabled: typed.isOn("isEnabled"))
    }
}

/// The form of a creative.
enum AdCreativeForm: AdRecordForm {
    static let folder = "creatives"
    static let columns = ["Kind", "Size", "Advertiser"]

    static func cells(_ record: AdCreative) -> [String] {
        let isAdaptive = record.width == 0 || record.height == 0
        return [
            record.kind == .html ? "HTML" : "VAST",
            isAdaptive ? "adapts" : "\(record.width) × \(record.height)",
            record.advertiserDomain,
        ]
    }

    static var blank: FormFields { FormFields([("isEnabled", "on"), ("kind", "html")]) }

    static func values(_ creative: AdCreative) -> FormFields {
        FormFields([
            ("name", creative.name), ("kind", creative.kind.rawValue), ("markup", creative.markup),
            ("clickURL", creative.clickURL), ("width", "\(creative.width)"), ("height", "\(creative.height)"),
            ("advertiserDomain", creative.advertiserDomain),
            ("categories", creative.categories.joined(separator: ", ")),
            ("usesMRAID", creative.usesMRAID ? "on" : ""), ("isEnabled", creative.isEnabled ? "on" : ""),
        ])
    }

    static func fields(_ values: FormFields, _ choices: AdFormChoices) -> [FieldView] {
        [
            .line("name", "Name", values["name"] ?? ""),
            .choice("kind", "Kind", values["kind"] ?? "", of: [("html", "HTML"), ("vast", "VAST")]),
            FieldView.area(
                "markup", "Markup", values["markup"] ?? "",
                hint: "Sent to apps unchanged; ${CLICK_URL} becomes the click address.", rows: 10
            ).with {
                $0.isWide = true
                $0.style = "mono"
            },
            FieldView.line("clickURL", "Click-through address", values["clickURL"] ?? "").with {
                $0.mode = "url"
            },
            .line("advertiserDomain", "Advertiser's domain", values["advertiserDomain"] ?? ""),
            .whole("width", "Width", values["width"], in: "points", hint: "0 adapts."),
            .whole("height", "Height", values["height"], in: "points"),
            .line("categories", "Categories", values["categories"] ?? "", hint: "For example IAB20."),
            .check("usesMRAID", "Uses MRAID", values.isOn("usesMRAID")), .enabled(values),
        ]
    }

    static func record(
        _ typed: AdFormReader, id: AdCreativeID?, parentID: AdCampaignID, faults: inout FieldErrors
    ) -> AdCreative {
        AdCreative(
            id: id ?? .make(), campaignID: parentID, name: typed.text("name"),
            kind: typed.choice("kind", or: .html), markup: typed.form["markup"] ?? "",
            clickURL: typed.text("clickURL"), width: typed.number("width", &faults),
            height: typed.number("height", &faults), advertiserDomain: typed.text("advertiserDomain"),
            categories: typed.list("categories"), usesMRAID: typed.isOn("usesMRAID"),
            isEnabled: typed.isOn("isEnabled"))
    }
}
