import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// A device in a row of a table.
struct DeviceLine {
    let rowName: String
    let rowModel: String
    let rowSerial: String
    let ownerName: String
    let ownerPath: String
    let stateName: String
    let stateStyle: String
    let seen: String
    let seenExact: String
    let canRemove: Bool
    let removePath: String

    init(_ device: DeviceRow, owner: String?, for request: WorkbenchRequest) {
        rowName = device.name
        rowModel = device.model
        rowSerial = device.serial
        ownerName = owner ?? device.accountID.rawValue
        ownerPath = request.address("devices", "accounts", device.accountID.rawValue)
        (stateName, stateStyle) =
            switch device.state {
            case .active: ("Active", "good")
            case .held: ("Waits for the proof", "warn")
            case .transferring: ("Offered to another", "warn")
            default: (device.state.rawValue, "plain")
            }
        let moment = device.seenAt.map { request.moment($0) }
        seen = moment?.words ?? "not yet"
        seenExact = moment?.exact ?? "It has not used its credential yet"
        canRemove = request.may(.admin)
        removePath = request.address("devices", "list", device.id.rawValue, "remove")
    }
}

/// The pages of an environment's devices: the list, and the removal of one.
struct DevicePages: Sendable {
    let services: ServerServices
    let devices: DevicesFeature

    static func routes(_ services: ServerServices, _ devices: DevicesFeature) -> [WorkbenchRoute] {
        let pages = DevicePages(services: services, devices: devices)
        let root = "e/:environment/devices/list", one = "\(root)/:device"
        return [
            .page(root) { try await pages.list($0) },
            .page("\(one)/remove", for: .admin) { try await pages.confirm($0) },
            .form("\(one)/remove", for: .admin) { try await pages.remove($0) },
        ]
    }

    private func path(_ request: WorkbenchRequest) -> String { request.address("devices", "list") }

    private func found(_ request: WorkbenchRequest) async throws -> DeviceRow {
        try await request.found("device", devices.devices.device)
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID, path = path(request)
        let page = try await request.page(of: path, key: \.id.rawValue) {
            try await devices.devices.devices(
                environmentID, after: DeviceID($0.after), search: $0.search, limit: $0.limit)
        }
        let count = try await devices.devices.count(environmentID)
        let owners = try await devices.accounts.emails(
            environmentID, of: page.items.map(\.accountID))
        let rows = page.items.map { device in
            DeviceLine(device, owner: owners[device.accountID], for: request)
        }
        let model = PagedListModel(
            rows, of: count, Count.of(count, "device"), pager: page.pager,
            startPath: request.address("devices", "applications"))
        return .page("Devices", "devices/devices", model)
    }

    private func confirm(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let device = try await found(request)
        return .confirm(
            "Remove", device.name,
            "Its credential becomes invalid at once, and it must be set up again. Serial number \(device.serial).",
            at: request.path, back: path(request), for: request)
    }

    private func remove(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let device = try await found(request)
        try await services.audit.record(
            "removed device", device.id.rawValue, by: request, detail: device.serial
        ) {
            try await devices.removeDevice(device.environmentID, device.id)
        }
        return .redirect(to: path(request), Flash("Removed “\(device.name)”."))
    }
}
