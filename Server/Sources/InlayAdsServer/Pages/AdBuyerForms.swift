import InlayOpenRTB
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The form of a bidder.
enum AdBidderForm: AdRecordForm {
    static let folder = "bidders"
    static let columns = ["Endpoint", "Timeout"]

    static func cells(_ record: AdBidder) -> [String] { [record.endpoint, "\(record.timeout) ms"] }

    static var blank: FormFields { FormFields([("isEnabled", "on"), ("timeout", "300"), ("qps", "0")]) }

    static func values(_ bidder: AdBidder) -> FormFields {
        FormFields(
            [
                ("name", bidder.name), ("endpoint", bidder.endpoint), ("seat", bidder.seat),
                ("vendorID", bidder.vendorID.map(String.init) ?? ""),
                ("timeout", "\(bidder.timeout)"), ("qps", "\(bidder.qps)"),
                ("isEnabled", bidder.isEnabled ? "on" : ""),
            ] + bidder.unitIDs.map { ("unitIDs", $0.rawValue) })
    }

    static func fields(_ values: FormFields, _ choices: AdFormChoices) -> [FieldView] {
        [
            .line("name", "Name", values["name"] ?? ""),
            FieldView.line("endpoint", "Endpoint", values["endpoint"] ?? "", hint: "OpenRTB 2.6 over HTTP.")
                .with { $0.mode = "url" },
            .line("seat", "Seat", values["seat"] ?? "", hint: "Empty: any seat."),
            .whole(
                "vendorID", "TCF vendor id", values["vendorID"],
                hint: "Its id in the IAB's Global Vendor List. Empty: no personal data under the GDPR."),
            .whole(
                "timeout", "Timeout", values["timeout"], in: "ms",
                hint: "The server's limit for a request also applies."),
            .whole(
                "qps", "Rate limit", values["qps"], in: "requests a second", hint: "0 without limit."),
            choices.unitField(values), .enabled(values),
        ]
    }

    static func record(
        _ typed: AdFormReader, id: AdBidderID?, parentID: AdNoParentID, faults: inout FieldErrors
    ) -> AdBidder {
        AdBidder(
            id: id ?? .make(), name: typed.text("name"), endpoint: typed.text("endpoint"),
            seat: typed.text("seat"), vendorID: typed.whole("vendorID", &faults).map { Int($0) },
            timeout: typed.number("timeout", &faults),
            qps: typed.number("qps", &faults), unitIDs: typed.unitIDs,
            isEnabled: typed.isOn("isEnabled"))
    }
}

/// The form of a deal.
enum AdDealForm: AdRecordForm {
    static let folder = "deals"
    static let columns = ["Id", "Floor"]

    static func cells(_ record: AdDeal) -> [String] {
        [record.id.rawValue, AdAmount.words(micros: record.floorMicros)]
    }

    static var blank: FormFields { FormFields([("isEnabled", "on")]) }

    static func values(_ deal: AdDeal) -> FormFields {
        FormFields(
            [
                ("id", deal.id.rawValue), ("name", deal.name), ("floorMicros", Micros.text(deal.floorMicros)),
                ("price", deal.price.rawValue), ("isPrivate", deal.isPrivate ? "on" : ""),
                ("isEnabled", deal.isEnabled ? "on" : ""),
            ] + deal.bidderIDs.map { ("bidderIDs", $0.rawValue) }
                + deal.unitIDs.map { ("unitIDs", $0.rawValue) })
    }

    static func fields(_ values: FormFields, _ choices: AdFormChoices) -> [FieldView] {
        [
            .line("name", "Name", values["name"] ?? ""),
            .line("id", "Id", values["id"] ?? "", hint: "The id in bid requests. It cannot be changed."),
            .amount("floorMicros", "Floor price", values["floorMicros"], in: "USD CPM"),
            .choice(
                "price", "Price", values["price"] ?? "",
                of: [
                    ("first", "First price"), ("second", "Second price"), ("fixed", "Floor price"),
                ]),
            choices.bidderField(values), choices.unitField(values),
            .check("isPrivate", "Private auction only", values.isOn("isPrivate")), .enabled(values),
        ]
    }

    static func record(
        _ typed: AdFormReader, id: AdDealID?, parentID: AdNoParentID, faults: inout FieldErrors
    ) -> AdDeal {
        AdDeal(
            id: id ?? AdDealID(typed.text("id")), name: typed.text("name"),
            floorMicros: typed.micros("floorMicros", &faults) ?? 0, price: typed.choice("price", or: .first),
            bidderIDs: typed.list("bidderIDs").map { AdBidderID($0) }, unitIDs: typed.unitIDs,
            isPrivate: typed.isOn("isPrivate"), isEnabled: typed.isOn("isEnabled"))
    }
}
