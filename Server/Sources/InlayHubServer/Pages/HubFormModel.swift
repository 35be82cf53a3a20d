import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// A form below the head of its content source.
struct HubFormModel {
    let head: HubHead
    let form: FormModel
    /// The revision that the operator read; `nil` where the last save wins.
    let revision: String?

    init(
        _ source: HubSource, tab: String, fields: [FieldView], revision: String? = nil, faults: FieldErrors,
        button: String, for request: WorkbenchRequest
    ) {
        self.revision = revision
        head = HubHead(source, tab: tab, for: request)
        form = FormModel(
            source.name, in: ("Hub", head.listPath), at: request.address("hub", source.id.rawValue, tab),
            fields: fields, faults: faults, button: button, for: request)
    }
}
