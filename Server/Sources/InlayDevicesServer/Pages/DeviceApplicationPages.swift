import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench
import NIOCore
import NIOFoundationCompat

/// The pages of an environment's applications: the list, the settings, and the secrets, each of which is shown once.
struct DeviceApplicationPages: RecordFormPages, RecordRemovalPages {
    let services: ServerServices
    let devices: DevicesFeature
    let root = "e/:environment/devices/applications"
    let noun = "application"
    let role = OperatorRole.admin
    let removal = RecordRemoval.revoke

    static func routes(_ services: ServerServices, _ devices: DevicesFeature) -> [WorkbenchRoute] {
        let pages = DeviceApplicationPages(services: services, devices: devices)
        let one = "\(pages.root)/:application"
        return [
            .page(pages.root) { try await pages.list($0, fault: nil) },
            .form("\(pages.root)/new", for: .admin) { try await pages.add($0) },
            .upload("\(one)/logo", for: .admin) { try await pages.takeLogo($0) },
            .page("\(one)/logo/remove", for: .admin) { try await pages.confirmRemoveLogo($0) },
            .form("\(one)/logo/remove", for: .admin) { try await pages.removeLogo($0) },
            .form("\(one)/secrets/new", for: .admin) { try await pages.addSecret($0) },
            .page("\(one)/secrets/:secret/revoke", for: .admin) { try await pages.confirmSecret($0) },
            .form("\(one)/secrets/:secret/revoke", for: .admin) { try await pages.revokeSecret($0) },
        ] + pages.changeRoutes + pages.removalRoutes
    }

    private func path(_ request: WorkbenchRequest) -> String { request.address("devices", "applications") }

    func find(_ request: WorkbenchRequest, _ id: String) async throws -> DeviceApplication? {
        try await devices.applications.application(request.environmentID, ApplicationID(id))
    }

    func name(of application: DeviceApplication) -> String { application.name }

    func subject(of application: DeviceApplication) -> AuditSubject {
        AuditSubject(application.name, detail: application.id.rawValue)
    }

    // MARK: Pages

    private func list(_ request: WorkbenchRequest, fault: Problem?) async throws -> WorkbenchResult {
        let path = path(request)
        let rows = try await devices.applications.applications(try request.environmentID).map {
            ApplicationListModel.Row($0, path: "\(path)/\($0.id)", for: request)
        }
        let model = ApplicationListModel(
            csrf: request.csrfToken, rows: rows, hasRows: !rows.isEmpty, canMake: request.may(.admin),
            newPath: "\(path)/new", isNewOpen: rows.isEmpty || fault != nil,
            faultSummary: fault.map { FaultSummary($0.title, $0.detail) },
            nameField: .line(
                "name", "Name", request.form["name"] ?? "",
                hint: "End users read it in mails and on the recovery pages."))
        return .page("Applications", "devices/applications", model, status: fault?.status ?? 200)
    }

    func form(
        _ request: WorkbenchRequest, _ application: DeviceApplication?, faults: FieldErrors
    ) async throws -> WorkbenchResult {
        guard let application else { throw Problem.notFound(noun) }
        let secrets = try await devices.applications.secrets(application.environmentID, application.id)
        let model = ApplicationModel(
            application, secrets, at: "\(path(request))/\(application.id)", list: path(request),
            faults: faults, for: request)
        return .page(
            application.name, "devices/application", model, scripts: ["devices.js"], faults: faults)
    }

    private func add(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        do {
            let id = DeviceApplication.newID(), name = request.form.trimmed("name")
            let (application, secret) = try await services.audit.record(
                "created application", name, by: request, detail: id.rawValue
            ) { try await devices.applications.create(try request.environmentID, id: id, name: name) }
            return shownOnce(application, secret, request)
        } catch let problem as Problem {
            return try await list(request, fault: problem)
        }
    }

    func draft(
        _ request: WorkbenchRequest, over known: DeviceApplication?
    ) throws -> DeviceApplication {
        guard var application = known else { throw Problem.notFound(noun) }
        var faults = FieldErrors()
        application.name = request.form.trimmed("name")
        application.opensAtOnce = request.form.isOn("opensAtOnce")
        application.pairsUnproven = request.form.isOn("pairsUnproven")
        application.minimumPasswordLength = TypedText.number(request.form, "minimumPasswordLength", &faults)
        if (try? Limits.name(application.name)) == nil { faults.add("name", "1 to 128 characters.") }
        if faults.items.isEmpty,
            !PasswordRules.allowedMinimumLengths.contains(application.minimumPasswordLength)
        {
            let range = PasswordRules.allowedMinimumLengths
            faults.add("minimumPasswordLength", "From \(range.lowerBound) to \(range.upperBound).")
        }
        try faults.throwIfAny()
        return application
    }

    func subject(of draft: DeviceApplication, _ request: WorkbenchRequest) -> AuditSubject {
        subject(of: draft)
    }

    func save(
        _ draft: DeviceApplication, over known: DeviceApplication?, _ request: WorkbenchRequest
    ) async throws -> DeviceApplication {
        try await devices.applications.save(draft)
        return draft
    }

    func saved(
        _ application: DeviceApplication, isNew: Bool, _ request: WorkbenchRequest
    ) -> WorkbenchResult {
        .redirect(to: request.path, Flash("Saved “\(application.name)”."))
    }

    // MARK: Logo

    private func takeLogo(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let application = try await found(request)
        guard let upload = request.upload else { throw Problem.notFound }
        let bytes: Data
        do {
            bytes = Data(
                buffer: try await upload.collect(upTo: ApplicationStore.maximumLogoBytes))
        } catch is NIOTooManyBytesError {
            throw ApplicationStore.unusableLogo
        }
        try await services.audit.record(
            "changed logo of application", application.name, by: request, detail: application.id.rawValue
        ) { try await devices.applications.setLogo(application.environmentID, application.id, bytes) }
        return .data(Data("{}".utf8), mediaType: "application/json")
    }

    private func confirmRemoveLogo(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let application = try await found(request)
        return .confirm(
            "Remove the logo of", application.name,
            "The recovery pages show the name instead. The picture is not kept.", at: request.path,
            back: "\(path(request))/\(application.id)", for: request)
    }

    private func removeLogo(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let application = try await found(request)
        try await services.audit.record(
            "removed logo", application.name, by: request, detail: application.id.rawValue
        ) { try await devices.applications.setLogo(application.environmentID, application.id, nil) }
        return .redirect(
            to: "\(path(request))/\(application.id)", Flash("Removed the logo of “\(application.name)”."))
    }

    // MARK: Secrets and the end

    private func addSecret(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let application = try await found(request)
        let secret = try await services.audit.record(
            "created application secret", application.name, by: request, detail: application.id.rawValue
        ) { try await devices.applications.addSecret(application.environmentID, application.id) }
        return shownOnce(application, secret, request)
    }

    private func confirmSecret(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let application = try await found(request), id = try request.parameter("secret")
        return .confirm(
            "Revoke", id, "Released apps with this secret are refused at once.",
            at: request.path, back: "\(path(request))/\(application.id)", for: request)
    }

    private func revokeSecret(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let application = try await found(request), id = try request.parameter("secret")
        try await services.audit.record(
            "revoked application secret", application.name, by: request, detail: id
        ) { try await devices.applications.revokeSecret(application.environmentID, application.id, id) }
        return .redirect(
            to: "\(path(request))/\(application.id)", Flash("Revoked the secret \(id)."))
    }

    func warning(about application: DeviceApplication, _ request: WorkbenchRequest) -> String {
        "The app is refused at once, and its users are logged out of it. Accounts and devices stay."
    }

    func cancelPath(of application: DeviceApplication, _ request: WorkbenchRequest) -> String {
        "\(path(request))/\(application.id)"
    }

    func remove(_ application: DeviceApplication, _ request: WorkbenchRequest) async throws {
        try await devices.applications.revoke(application.environmentID, application.id)
        try await devices.tokens.forget(application.environmentID)
    }

    func pathAfterRemoval(of application: DeviceApplication, _ request: WorkbenchRequest) -> String {
        path(request)
    }

    private func shownOnce(
        _ application: DeviceApplication, _ secret: String, _ request: WorkbenchRequest
    ) -> WorkbenchResult {
        struct Model {
            let title: String, words: String, keyID: String, secret: String, sample: String?, back: String
        }
        let model = Model(
            title: "A secret of “\(application.name)”",
            words: "The app sends it with its id. It is shown only once; the server keeps a hash.",
            keyID: application.id.rawValue, secret: secret,
            sample: "Inlay-Application: \(application.id)\nInlay-Application-Secret: …",
            back: "\(path(request))/\(application.id)")
        return .page(model.title, "settings/shown-once", model)
    }
}
