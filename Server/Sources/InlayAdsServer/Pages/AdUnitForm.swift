import InlayOpenRTB
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The form of an ad unit.
enum AdUnitForm: AdRecordForm {
    static let folder = "units"
    static let columns = ["Format", "Size", "Floor"]

    static func cells(_ record: AdUnit) -> [String] {
        let isAdaptive = record.width == 0 || record.height == 0
        return [
            record.format.words, isAdaptive ? "adapts" : "\(record.width) × \(record.height)",
            AdAmount.words(micros: record.floorMicros),
        ]
    }

    static var blank: FormFields {
        FormFields([
            ("isEnabled", "on"), ("allowsMRAID", "on"), ("format", "banner"), ("width", "320"),
            ("height", "50"), ("lockLimit", "30"),
            ("maximumPerDay", "\(AdUnit.Reward.standardMaximumPerDay)"), ("needsUser", "on"),
        ])
    }

    static func values(_ unit: AdUnit) -> FormFields {
        FormFields([
            ("name", unit.name), ("format", unit.format.rawValue), ("width", "\(unit.width)"),
            ("height", "\(unit.height)"), ("floorMicros", Micros.text(unit.floorMicros)),
            ("priceRule", unit.priceRule.rawValue),
            ("closeTimeout", AdSeconds.text(milliseconds: unit.closeTimeout)),
            ("lockLimit", AdSeconds.text(milliseconds: unit.lockLimit)), ("refresh", "\(unit.refresh)"),
            ("reward", unit.reward.map { "\($0.amount)" } ?? ""), ("currency", unit.reward?.currency ?? ""),
            ("callbackURL", unit.reward?.callbackURL ?? ""),
            ("maximumPerDay", "\(unit.reward?.maximumPerDay ?? AdUnit.Reward.standardMaximumPerDay)"),
            ("needsUser", unit.reward?.needsUser == false ? "" : "on"),
            ("bcat", unit.blocks.bcat.joined(separator: ", ")),
            ("badv", unit.blocks.badv.joined(separator: "\n")),
            ("bapp", unit.blocks.bapp.joined(separator: "\n")),
            ("battr", unit.blocks.battr.map(String.init).joined(separator: ", ")),
            ("allowsMRAID", unit.allowsMRAID ? "on" : ""),
            ("allowsFrames", unit.allowsFrames ? "on" : ""), ("isEnabled", unit.isEnabled ? "on" : ""),
        ])
    }

    static func fields(_ values: FormFields, _ choices: AdFormChoices) -> [FieldView] {
        [
            .line("name", "Name", values["name"] ?? ""),
            .choice(
                "format", "Format", values["format"] ?? "",
                of: AdFormat.allCases.map { ($0.rawValue, $0.words) }),
            .whole("width", "Width", values["width"], in: "points", hint: "0 adapts. Not used for video."),
            .whole("height", "Height", values["height"], in: "points"),
            .amount("floorMicros", "Floor price", values["floorMicros"], in: "USD CPM"),
            .choice(
                "priceRule", "Auction type", values["priceRule"] ?? "",
                of: [("first", "First price"), ("second", "Second price")]),
            .amount(
                "closeTimeout", "Close delay", values["closeTimeout"], in: "seconds",
                hint: "At most a minute."),
            .amount(
                "lockLimit", "Longest close delay", values["lockLimit"], in: "seconds",
                hint: "Applies to all creatives."),
            .whole(
                "refresh", "Refresh interval", values["refresh"], in: "seconds",
                hint: "For banners. 0: no refresh."),
            .whole("reward", "Reward amount", values["reward"], hint: "For rewarded video only."),
            .line("currency", "Reward item", values["currency"] ?? "", hint: "For example coins."),
            FieldView.line(
                "callbackURL", "Server-side verification URL", values["callbackURL"] ?? "",
                hint: "Your server receives a signed call when a reward was earned."
            ).with { $0.mode = "url" },
            .whole(
                "maximumPerDay", "Frequency cap", values["maximumPerDay"], in: "rewards a day",
                hint: "For each user and day (UTC). Further rewards are refused."),
            .check(
                "needsUser", "Signed-in users only", values.isOn("needsUser"),
                hint: "Rewards need a user's token, because an advertising ID can be forged."),
            .area("bcat", "Blocked categories", values["bcat"] ?? "", hint: "For example IAB25, IAB26."),
            .area("badv", "Blocked advertisers", values["badv"] ?? "", hint: "Domains, one per line."),
            .area("bapp", "Blocked apps", values["bapp"] ?? "", hint: "Store ids, one per line."),
            .area("battr", "Blocked creative attributes", values["battr"] ?? "", hint: "OpenRTB ids."),
            .check("allowsMRAID", "Creatives may use MRAID", values.isOn("allowsMRAID")),
            .check(
                "allowsFrames", "Creatives may show frames of other sites", values.isOn("allowsFrames"),
                hint: "Such frames are not limited in connections, processor and memory."),
            .enabled(values),
        ]
    }

    static func record(
        _ typed: AdFormReader, id: AdUnitID?, parentID: AdAppID, faults: inout FieldErrors
    ) -> AdUnit {
        let attributes = typed.list("battr").map { try? TypedNumber($0).integer.flatMap { Int(exactly: $0) } }
        if attributes.contains(nil) { faults.add("battr", "Numbers, separated by commas.") }
        let reward = reward(typed, &faults)
        return AdUnit(
            id: id ?? .make(), appID: parentID, name: typed.text("name"),
            format: typed.choice("format", or: .banner), width: typed.number("width", &faults),
            height: typed.number("height", &faults), floorMicros: typed.micros("floorMicros", &faults) ?? 0,
            closeTimeout: typed.milliseconds("closeTimeout", &faults),
            lockLimit: typed.milliseconds("lockLimit", &faults), refresh: typed.number("refresh", &faults),
            priceRule: typed.choice("priceRule", or: .first),
            blocks: .init(
                bcat: typed.list("bcat"), badv: typed.list("badv"), bapp: typed.list("bapp"),
                battr: attributes.compactMap { $0 }),
            allowsMRAID: typed.isOn("allowsMRAID"), allowsFrames: typed.isOn("allowsFrames"),
            reward: reward, isEnabled: typed.isOn("isEnabled"))
    }

    private static func reward(_ typed: AdFormReader, _ faults: inout FieldErrors) -> AdUnit.Reward? {
        let amount = typed.number("reward", &faults), maximum = typed.whole("maximumPerDay", &faults)
        guard amount != 0 || !typed.text("currency").isEmpty else { return nil }
        return AdUnit.Reward(
            amount: amount, currency: typed.text("currency"), callbackURL: typed.text("callbackURL"),
            maximumPerDay: maximum.map { Int($0) } ?? AdUnit.Reward.standardMaximumPerDay,
            needsUser: typed.isOn("needsUser"))
    }
}

extension AdFormat {
    /// The label in the Workbench.
    var words: String {
        switch self {
        case .banner: "Banner"
        case .interstitial: "Interstitial"
        case .video: "Video"
        case .rewarded: "Rewarded video"
        }
    }
}
