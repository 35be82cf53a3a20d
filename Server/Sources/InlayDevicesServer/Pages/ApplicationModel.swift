import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The model of the list of applications.
struct ApplicationListModel {
    struct Row {
        let rowPath: String
        let rowName: String
        let rowID: String
        let made: Moment
        let isRevoked: Bool
        let rules: String

        init(_ application: DeviceApplication, path: String, for request: WorkbenchRequest) {
            rowPath = path
            rowName = application.name
            rowID = application.id.rawValue
            made = request.moment(application.createdAt)
            isRevoked = application.revokedAt != nil
            rules = application.opensAtOnce ? "At once" : "After the proof"
        }
    }

    let csrf: String
    let rows: [Row]
    let hasRows: Bool
    let canMake: Bool
    let newPath: String
    let isNewOpen: Bool
    let faultSummary: FaultSummary?
    let nameField: FieldView
}

/// The model of the page of one application.
struct ApplicationModel {
    struct SecretRow {
        let secretID: String
        let made: Moment
        let isRevoked: Bool
        let canRevoke: Bool
        let revokePath: String
    }

    let csrf: String
    let title: String
    let listPath: String
    let applicationID: String
    let formPath: String
    let faultSummary: FaultSummary?
    let fields: [FieldView]
    let secrets: [SecretRow]
    let canMakeSecret: Bool
    let secretPath: String
    let canEdit: Bool
    let isRevoked: Bool
    let revokePath: String
    let logoPath: String?
    let logoUpload: String
    let logoRemove: String
    let passwordPage: String
    let usernamePage: String

    init(
        _ application: DeviceApplication, _ secrets: [ApplicationSecret], at path: String, list: String,
        faults: FieldErrors, for request: WorkbenchRequest
    ) {
        csrf = request.csrfToken
        title = application.name
        listPath = list
        applicationID = application.id.rawValue
        formPath = path
        isRevoked = application.revokedAt != nil
        let canEdit = request.may(.admin) && application.revokedAt == nil
        self.canEdit = canEdit
        fields = Self.fields(application, typed: faults.items.isEmpty ? nil : request.form).map { field in
            field.with(faults: faults).with { $0.isLocked = !canEdit }
        }
        faultSummary = FaultSummary(faults, fields: fields)
        self.secrets = secrets.map {
            SecretRow(
                secretID: $0.id, made: request.moment($0.createdAt), isRevoked: $0.revokedAt != nil,
                canRevoke: canEdit && $0.revokedAt == nil, revokePath: "\(path)/secrets/\($0.id)/revoke")
        }
        let live = secrets.count { $0.revokedAt == nil }
        canMakeSecret = canEdit && live < DeviceApplication.maximumSecrets
        secretPath = "\(path)/secrets/new"
        revokePath = "\(path)/revoke"
        logoPath = application.hasLogo ? "/recover/\(application.id)/logo" : nil
        logoUpload = "\(path)/logo"
        logoRemove = "\(path)/logo/remove"
        passwordPage = InlayPath.recoverPassword(application: application.id.rawValue)
        usernamePage = InlayPath.recoverUsername(application: application.id.rawValue)
    }

    private static func fields(_ application: DeviceApplication, typed: FormFields?) -> [FieldView] {
        [
            .line(
                "name", "Name", typed?["name"] ?? application.name,
                hint: "End users read it in mails and on the recovery pages."),
            .line(
                "minimumPasswordLength", "Shortest password",
                typed?["minimumPasswordLength"] ?? String(application.minimumPasswordLength),
                hint: "In characters, 8 to 64. 15 is advised where the password is the only factor."
            ).with { $0.mode = "numeric" },
            .check(
                "opensAtOnce", "Open accounts at once", typed?.isOn("opensAtOnce") ?? application.opensAtOnce,
                hint:
                    "A new address can set up a device before it is proven. The response then differs between new and known addresses; when this is off, it is the same for all."
            ),
            .check(
                "pairsUnproven", "Allow set-up before the address is proven",
                typed?.isOn("pairsUnproven") ?? application.pairsUnproven,
                hint:
                    "Off: a device waits until its owner's address is proven. On: it need not wait, for 24 hours."
            ),
        ]
    }
}
