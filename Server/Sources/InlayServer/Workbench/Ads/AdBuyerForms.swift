import InlayWire

/// Who is asked for bids.
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
            ] + bidder.unitIDs.map { ("unitIDs", $0) })
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
                hint: "The server's own limit for a request holds too."),
            .whole(
                "qps", "Rate limit", values["qps"], in: "requests a second", hint: "0 without limit."),
            choices.unitField(values), .enabled(values),
        ]
    }

    static func record(
        _ typed: AdTyped, id: String?, parentID: String, faults: inout FieldErrors
    ) -> AdBidder {
        AdBidder(
            id: id ?? AdRecordID.make(), name: typed.text("name"), endpoint: typed.text("endpoint"),
            seat: typed.text("seat"), vendorID: typed.whole("vendorID", &faults).map { Int($0) },
            timeout: typed.number("timeout", &faults),
            qps: typed.number("qps", &faults), unitIDs: typed.list("unitIDs"),
            isEnabled: typed.isOn("isEnabled"))
    }
}

/// What was agreed with bidders.
enum AdDealForm: AdRecordForm {
    static let folder = "deals"
    static let columns = ["Id", "Floor"]

    static func cells(_ record: AdDeal) -> [String] {
        [record.id, AdAmount.words(micros: record.floorMicros)]
    }

    static var blank: FormFields { FormFields([("isEnabled", "on")]) }

    static func values(_ deal: AdDeal) -> FormFields {
        FormFields(
            [
                ("id", deal.id), ("name", deal.name), ("floorMicros", Micros.text(deal.floorMicros)),
                ("price", deal.price.rawValue), ("isPrivate", deal.isPrivate ? "on" : ""),
                ("isEnabled", deal.isEnabled ? "on" : ""),
            ] + deal.bidderIDs.map { ("bidderIDs", $0) } + deal.unitIDs.map { ("unitIDs", $0) })
    }

    static func fields(_ values: FormFields, _ choices: AdFormChoices) -> [FieldView] {
        [
            .line("name", "Name", values["name"] ?? ""),
            .line("id", "Id", values["id"] ?? "", hint: "What bidders know it by. It does not change."),
            .amount("floorMicros", "Floor", values["floorMicros"], in: "USD CPM"),
            .choice(
                "price", "The winner pays", values["price"] ?? "",
                of: [
                    ("first", "what it bid"), ("second", "what the next one bid"), ("fixed", "the floor"),
                ]),
            choices.bidderField(values), choices.unitField(values),
            .check("isPrivate", "Keep the open market out", values.isOn("isPrivate")), .enabled(values),
        ]
    }

    static func record(
        _ typed: AdTyped, id: String?, parentID: String, faults: inout FieldErrors
    ) -> AdDeal {
        AdDeal(
            id: id ?? typed.text("id"), name: typed.text("name"),
            floorMicros: typed.micros("floorMicros", &faults) ?? 0, price: typed.choice("price", or: .first),
            bidderIDs: typed.list("bidderIDs"), unitIDs: typed.list("unitIDs"),
            isPrivate: typed.isOn("isPrivate"), isEnabled: typed.isOn("isEnabled"))
    }
}
