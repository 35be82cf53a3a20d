import Foundation
import HTTPTypes
import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The mobile web pages for people who forgot their password, or which address they used.
///
/// They have no script, a strict content security policy, forms that no other site can send, and the same texts for
/// known and unknown addresses.
struct RecoveryPages: Sendable {
    let applications: ApplicationStore
    let accounts: AccountStore
    let tokens: AccountTokenStore
    let attempts: CallerLimiter
    let notifier: DeviceChangeNotifier
    let pages: PageLibrary
    let assets: AssetFiles
    let cookies: CookieRules

    func add(to routes: RouterGroup<ServerContext>) {
        routes.get("recover/:application/password") { request, context in
            let application = try await application(context)
            return try page(request, .askForEmail(application))
        }
        routes.post("recover/:application/password") { try await mailCode($0, $1) }
        routes.post("recover/:application/password/code") { try await setPassword($0, $1) }
        routes.get("recover/:application/username") { request, context in
            try page(request, .askForUsername(try await application(context)))
        }
        routes.post("recover/:application/username") { try await remind($0, $1) }
        routes.get("recover/:application/logo") { request, context in
            let application = try await application(context)
            guard let logo = try await applications.logo(application.id) else { throw Problem.notFound }
            return WorkbenchResponse.asset(logo.data, logo.mediaType, for: request)
        }
        routes.get("recover/assets/recover.css") { request, _ in
            guard let file = assets.file("recover.css") else { throw Problem.notFound }
            return WorkbenchResponse.asset(file.data, file.mediaType, for: request)
        }
    }

    // MARK: Forms

    private func mailCode(_ request: Request, _ context: ServerContext) async throws -> Response {
        let application = try await application(context)
        return try await respond(request, .askForEmail(application), context) { form in
            try attempts.spend(.recoveryPageMails, from: context.callerAddress)
            let email = form.trimmed("email")
            let id = try await accounts.startReset(PasswordReset(email: email), for: application)
            return .askForCode(application, email: email, request: id)
        }
    }

    private func setPassword(_ request: Request, _ context: ServerContext) async throws -> Response {
        let application = try await application(context)
        return try await respond(request, .askForCode(application), context) { form in
            try attempts.spend(.mailCodes, from: context.callerAddress)
            let asked = NewPassword(
                email: form.trimmed("email"), code: form.trimmed("code"),
                newPassword: form["password"] ?? "", request: form.trimmed("request"))
            try attempts.spendMailCode(from: context.callerAddress, about: asked.email, of: application)
            let (account, ended) = try await accounts.setPassword(
                asked, for: application, from: context.callerAddress)
            for id in ended { try await tokens.ended(account.environmentID, id) }
            try await notifier.notify(account.environmentID, account.id)
            return .passwordSet(application)
        }
    }

    private func remind(_ request: Request, _ context: ServerContext) async throws -> Response {
        let application = try await application(context)
        return try await respond(request, .askForUsername(application), context) { form in
            try attempts.spend(.recoveryPageMails, from: context.callerAddress)
            try await accounts.remind(of: form.trimmed("email"), for: application)
            return .usernameSent(application)
        }
    }

    /// Returns the next page; after a fault the same page, with the fault and the typed values but for the password.
    private func respond(
        _ request: Request, _ same: RecoveryPage, _ context: ServerContext,
        _ step: (FormFields) async throws -> RecoveryPage
    ) async throws -> Response {
        let form = try await WorkbenchForm.fields(of: request)
        do {
            guard let token = token(of: request), OperatorSessions.isValidCSRFToken(form["csrf"], for: token)
            else { throw Problem.foreignForm }
            return try page(request, try await step(form))
        } catch let problem as Problem where problem.status < 500 {
            return try page(request, same.with(form, problem), status: problem.status)
        } catch let refusal as Refusal {
            var response = try page(
                request, same.with(form, refusal.problem), status: refusal.problem.status)
            response.headers[.retryAfter] = refusal.headers[.retryAfter]
            return response
        }
    }

    private func application(_ context: ServerContext) async throws -> DeviceApplication {
        let id = ApplicationID(try context.parameters.require("application"))
        guard let credentials = try await applications.credentials(of: id),
            credentials.application.revokedAt == nil
        else {
            throw Problem.notFound
        }
        return credentials.application
    }

    // MARK: Drawing

    private static let cookie = "inlay_recover"
    private static let policy = [
        "default-src 'none'", "style-src 'self'", "img-src 'self'", "form-action 'self'", "base-uri 'none'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private func token(of request: Request) -> String? {
        request.cookies[cookies.name(of: Self.cookie)].flatMap { $0.value.utf8.count == 43 ? $0.value : nil }
    }

    private func page(_ request: Request, _ page: RecoveryPage, status: Int = 200) throws -> Response {
        let known = token(of: request), token = known ?? Secret.random(bytes: 32)
        var page = page
        page.csrf = OperatorSessions.csrfToken(for: token)
        let html = try pages.render("recover/page", page)
        var response = Response(
            status: .init(code: status),
            headers: [
                .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: Self.policy,
                .cacheControl: "no-store", .xFrameOptions: "DENY",
            ], body: .init(byteBuffer: ByteBuffer(string: html)))
        if known == nil {
            response.headers[.setCookie] = cookies.field(Self.cookie, token, path: "/recover", seconds: 3_600)
        }
        return response
    }
}
