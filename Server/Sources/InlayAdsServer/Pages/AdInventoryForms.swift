import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The form of a publisher.
enum AdPublisherForm: AdRecordForm {
    static let folder = "publishers"
    static let columns: [String] = []

    static func cells(_ record: AdPublisher) -> [String] { [] }
    static func values(_ record: AdPublisher) -> FormFields {
        FormFields([("name", record.name), ("isEnabled", record.isEnabled ? "on" : "")])
    }
    static var blank: FormFields { FormFields([("isEnabled", "on")]) }

    static func fields(_ values: FormFields, _ choices: AdFormChoices) -> [FieldView] {
        [.line("name", "Name", values["name"] ?? ""), .enabled(values)]
    }

    static func record(
        _ typed: AdFormReader, id: AdPublisherID?, parentID: AdNoParentID, faults: inout FieldErrors
    ) -> AdPublisher {
        AdPublisher(
            id: id ?? .make(), name: typed.text("name"), isEnabled: typed.isOn("isEnabled"))
    }
}

/// The form of an app.
enum AdAppForm: AdRecordForm {
    static let folder = "apps"
    static let columns = ["Bundle", "Store id"]

    static func cells(_ record: AdApp) -> [String] { [record.bundle, record.storeID] }
    static var blank: FormFields { FormFields([("isEnabled", "on")]) }

    static func values(_ record: AdApp) -> FormFields {
        FormFields([
            ("name", record.name), ("bundle", record.bundle), ("storeID", record.storeID),
            ("storeURL", record.storeURL), ("domain", record.domain),
            ("isBundleChecked", record.isBundleChecked ? "on" : ""),
            ("isEnabled", record.isEnabled ? "on" : ""),
        ])
    }

    static func fields(_ values: FormFields, _ choices: AdFormChoices) -> [FieldView] {
        [
            .line("name", "Name", values["name"] ?? "", hint: "The public name of the app."),
            .line("bundle", "Bundle", values["bundle"] ?? "", hint: "For example com.example.harbor."),
            .line(
                "storeID", "Store id", values["storeID"] ?? "",
                hint: "The number in the App Store, which identifies iOS apps to bidders."),
            FieldView.line("storeURL", "Store page", values["storeURL"] ?? "").with { $0.mode = "url" },
            .line("domain", "Domain", values["domain"] ?? "", hint: "Bidders look for app-ads.txt there."),
            .check(
                "isBundleChecked", "Check the bundle", values.isOn("isBundleChecked"),
                hint: "Refuse requests with another bundle."),
            .enabled(values),
        ]
    }

    static func record(
        _ typed: AdFormReader, id: AdAppID?, parentID: AdPublisherID, faults: inout FieldErrors
    ) -> AdApp {
        AdApp(
            id: id ?? .make(), publisherID: parentID, name: typed.text("name"),
            bundle: typed.text("bundle"), storeID: typed.text("storeID"), storeURL: typed.text("storeURL"),
            domain: typed.text("domain"), isBundleChecked: typed.isOn("isBundleChecked"),
            isEnabled: typed.isOn("isEnabled"))
    }
}

extension FieldView {
    /// The check box that enables a record.
    static func enabled(_ values: FormFields) -> FieldView {
        check("isEnabled", "Enabled", values.isOn("isEnabled"))
    }

    /// A field for a decimal amount of a unit, for example of money.
    static func amount(
        _ name: String, _ label: String, _ value: String?, in unit: String, hint: String? = nil
    ) -> FieldView {
        whole(name, label, value, in: unit, hint: hint).with { $0.mode = "decimal" }
    }

    /// A field for a whole number.
    static func whole(
        _ name: String, _ label: String, _ value: String?, in unit: String? = nil, hint: String? = nil
    ) -> FieldView {
        line(name, label, value ?? "", hint: hint).with {
            $0.mode = "numeric"
            $0.unit = unit
        }
    }
}
