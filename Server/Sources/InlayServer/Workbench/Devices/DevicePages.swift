import InlayWire

/// A list of devices.
struct DeviceListModel {
    struct Row {
        let rowName: String
        let rowModel: String
        let rowSerial: String
        let ownerName: String
        let ownerPath: String?
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
            ownerName = owner ?? "nobody yet"
            ownerPath = device.accountID.map { request.address("devices", "accounts", $0) }
            (stateName, stateStyle) =
                switch device.state {
                case .active: ("Active", "good")
                case .held: ("Waits for the proof", "warn")
                case .transferring: ("Handed on", "warn")
                default: (device.state.rawValue, "plain")
                }
            let moment = device.seenAt.map { request.moment($0) }
            seen = moment?.words ?? "not yet"
            seenExact = moment?.exact ?? "It has not used its credential"
            canRemove = request.may(.admin)
            removePath = request.address("devices", "list", device.id, "remove")
        }
    }

    let search: String
    let rows: [Row]
    let hasRows: Bool
    let isUntouched: Bool
    let countWords: String
    let listPath: String
    let nextPath: String?
    let isLaterPage: Bool
}

/// All devices of an environment.
struct DevicePages: Sendable {
    let services: ServerServices
    let devices: DevicesFeature
    private static let pageSize = 50

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = DevicePages(services: services, devices: stores.devices)
        let root = "e/:environment/devices/list", one = "\(root)/:device"
        return [
            .page(root) { try await pages.list($0) },
            .page("\(one)/remove", for: .admin) { try await pages.confirm($0) },
            .form("\(one)/remove", for: .admin) { try await pages.remove($0) },
        ]
    }

    private func path(_ request: WorkbenchRequest) -> String { request.address("devices", "list") }

    private func found(_ request: WorkbenchRequest) async throws -> DeviceRow {
        try await request.found("device") { try await devices.devices.device($0, $1) }
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let environmentID = try request.environmentID, path = path(request)
        let search = String(request.query.trimmed("q").prefix(64)), after = request.query["after"] ?? ""
        let found = try await devices.devices.devices(
            environmentID, after: String(after.prefix(64)), search: search, limit: Self.pageSize + 1)
        let count = try await devices.devices.count(environmentID)
        let shown = found.prefix(Self.pageSize)
        let owners = try await devices.accounts.emails(environmentID, of: shown.compactMap(\.accountID))
        var next: String?
        if found.count > Self.pageSize, let last = shown.last {
            next = "\(path)?\(request.query.with("after", last.id).encoded)"
        }
        let rows = shown.map { device in
            DeviceListModel.Row(device, owner: device.accountID.flatMap { owners[$0] }, for: request)
        }
        let model = DeviceListModel(
            search: search, rows: rows, hasRows: !rows.isEmpty, isUntouched: count == 0,
            countWords: Count.of(count, "device"), listPath: path, nextPath: next,
            isLaterPage: !after.isEmpty)
        return .page("Devices", "devices/devices", model)
    }

    private func confirm(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let device = try await found(request)
        return .confirm(
            "Remove", device.name,
            "Its credential dies at once; it has to be set up again. Serial number \(device.serial).",
            at: request.path, back: path(request), for: request)
    }

    private func remove(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let device = try await found(request)
        try await devices.removeDevice(device.environmentID, device.id)
        try await services.audit.record("removed device", device.id, by: request, detail: device.serial)
        return .redirect(to: path(request), Flash("Removed “\(device.name)”."))
    }
}
