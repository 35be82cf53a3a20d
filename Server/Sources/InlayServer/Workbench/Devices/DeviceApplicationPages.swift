import Foundation
import InlayWire
import NIOCore
import NIOFoundationCompat

/// The applications of an environment, their settings, and their secrets, each shown once.
struct DeviceApplicationPages: Sendable {
    let services: ServerServices
    let devices: DevicesFeature

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = DeviceApplicationPages(services: services, devices: stores.devices)
        let root = "e/:environment/devices/applications", one = "\(root)/:application"
        return [
            .page(root) { try await pages.list($0, fault: nil) },
            .form("\(root)/new", for: .admin) { try await pages.add($0) },
            .page(one) { try await pages.show($0, faults: FieldErrors()) },
            .form(one, for: .admin) { try await pages.save($0) },
            .upload("\(one)/logo", for: .admin) { try await pages.takeLogo($0) },
            .page("\(one)/logo/remove", for: .admin) { try await pages.confirmRemoveLogo($0) },
            .form("\(one)/logo/remove", for: .admin) { try await pages.removeLogo($0) },
            .form("\(one)/secrets/new", for: .admin) { try await pages.addSecret($0) },
            .page("\(one)/secrets/:secret/revoke", for: .admin) { try await pages.confirmSecret($0) },
            .form("\(one)/secrets/:secret/revoke", for: .admin) { try await pages.revokeSecret($0) },
            .page("\(one)/revoke", for: .admin) { try await pages.confirm($0) },
            .form("\(one)/revoke", for: .admin) { try await pages.revoke($0) },
        ]
    }

    private func path(_ request: WorkbenchRequest) -> String { request.address("devices", "applications") }

    private func found(_ request: WorkbenchRequest) async throws -> DeviceApplication {
        try await request.found("application") { try await devices.applications.application($0, $1) }
    }

    // MARK: Pages

    private func list(_ request: WorkbenchRequest, fault: Problem?) async throws -> WorkbenchAnswer {
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

    private func show(_ request: WorkbenchRequest, faults: FieldErrors) async throws -> WorkbenchAnswer {
        let application = try await found(request)
        let secrets = try await devices.applications.secrets(application.environmentID, application.id)
        let model = ApplicationModel(
            application, secrets, at: "\(path(request))/\(application.id)", list: path(request),
            faults: faults, for: request)
        return .page(
            application.name, "devices/application", model, scripts: ["devices.js"], faults: faults)
    }

    private func add(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        do {
            let (application, secret) = try await devices.applications.create(
                try request.environmentID, name: request.form.trimmed("name"))
            try services.audit.record(
                "made application", application.name, by: request, detail: application.id)
            return shownOnce(application, secret, request)
        } catch let problem as Problem {
            return try await list(request, fault: problem)
        }
    }

    private func save(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        var application = try await found(request)
        var faults = FieldErrors()
        application.name = request.form.trimmed("name")
        application.opensAtOnce = request.form.isOn("opensAtOnce")
        application.pairsUnproven = request.form.isOn("pairsUnproven")
        application.shortestPassword = TypedText.number(request.form, "shortestPassword", &faults)
        if (try? Limits.name(application.name)) == nil { faults.add("name", "1 to 128 characters.") }
        if faults.items.isEmpty, !PasswordRules.allowedShortest.contains(application.shortestPassword) {
            let range = PasswordRules.allowedShortest
            faults.add("shortestPassword", "From \(range.lowerBound) to \(range.upperBound).")
        }
        guard faults.items.isEmpty else { return try await show(request, faults: faults) }
        try await devices.applications.save(application)
        try services.audit.record(
            "changed application", application.name, by: request, detail: application.id)
        return .redirect(to: request.path, Flash("Saved “\(application.name)”."))
    }

    // MARK: Logo

    private func takeLogo(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let application = try await found(request)
        guard let upload = request.upload else { throw Problem.notFound }
        let bytes: Data
        do {
            bytes = Data(
                buffer: try await upload.collect(upTo: ApplicationStore.mostLogoBytes))
        } catch is NIOTooManyBytesError {
            throw ApplicationStore.unusableLogo
        }
        try await devices.applications.setLogo(application.environmentID, application.id, bytes)
        try services.audit.record(
            "changed logo of application", application.name, by: request, detail: application.id)
        return .data(Data("{}".utf8), mediaType: "application/json")
    }

    private func confirmRemoveLogo(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let application = try await found(request)
        return .confirm(
            "Remove the logo of", application.name,
            "The recovery pages show the name instead. The picture is not kept.", at: request.path,
            back: "\(path(request))/\(application.id)", for: request)
    }

    private func removeLogo(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let application = try await found(request)
        try await devices.applications.setLogo(application.environmentID, application.id, nil)
        try services.audit.record("removed logo", application.name, by: request, detail: application.id)
        return .redirect(
            to: "\(path(request))/\(application.id)", Flash("Removed the logo of “\(application.name)”."))
    }

    // MARK: Secrets and the end

    private func addSecret(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let application = try await found(request)
        let secret = try await devices.applications.addSecret(application.environmentID, application.id)
        try services.audit.record(
            "made application secret", application.name, by: request, detail: application.id)
        return shownOnce(application, secret, request)
    }

    private func confirmSecret(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let application = try await found(request), id = try request.parameter("secret")
        return .confirm(
            "Revoke", id, "Every app that is out with this secret is refused from that moment.",
            at: request.path, back: "\(path(request))/\(application.id)", for: request)
    }

    private func revokeSecret(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let application = try await found(request), id = try request.parameter("secret")
        try await devices.applications.revokeSecret(application.environmentID, application.id, id)
        try services.audit.record(
            "revoked application secret", application.name, by: request, detail: id)
        return .redirect(
            to: "\(path(request))/\(application.id)", Flash("Revoked the secret \(id)."))
    }

    private func confirm(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let application = try await found(request)
        return .confirm(
            "Revoke", application.name,
            "The app is refused from that moment and its users are logged out of it. Accounts and devices stay.",
            at: request.path, back: "\(path(request))/\(application.id)", for: request)
    }

    private func revoke(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let application = try await found(request)
        try await devices.applications.revoke(application.environmentID, application.id)
        try await devices.tokens.forget(application.environmentID)
        try services.audit.record(
            "revoked application", application.name, by: request, detail: application.id)
        return .redirect(to: path(request), Flash("Revoked “\(application.name)”."))
    }

    private func shownOnce(
        _ application: DeviceApplication, _ secret: String, _ request: WorkbenchRequest
    ) -> WorkbenchAnswer {
        struct Model {
            let title: String, words: String, keyID: String, secret: String, sample: String?, back: String
        }
        let model = Model(
            title: "A secret of “\(application.name)”",
            words: "The app sends it with its id. It is shown only now; the server keeps a hash.",
            keyID: application.id, secret: secret,
            sample: "Inlay-Application: \(application.id)\nInlay-Application-Secret: …",
            back: "\(path(request))/\(application.id)")
        return .page(model.title, "settings/shown-once", model)
    }
}
