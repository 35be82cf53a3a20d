import Foundation
import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The page on which an operator replaces a temporary password; until then all other pages redirect to it.
struct NewPasswordPages: Sendable {
    static let path = "/workbench/new-password"

    let services: ServerServices
    let pages: PageLibrary
    let cookies: WorkbenchCookies

    private struct Model {
        let csrf: String
        let next: String
        let login: String
        let minimumLength: Int
        let fault: String?
        let faultHint: String?
        /// The hidden fields of a form that the operator can send afterwards.
        let kept: [HiddenField]
    }

    /// Shows the form; redirects an operator whose password is not temporary to the page they wanted.
    func show(_ request: Request) async throws -> Response {
        let next = SignInPages.safePath((try FormFields(encoded: request.uri.query ?? ""))["next"])
        guard let (token, session) = try await session(of: request) else {
            return cookies.redirect(to: "/workbench/sign-in", flash: nil)
        }
        guard session.operator.mustChangePassword else { return cookies.redirect(to: next, flash: nil) }
        return try page(session.operator, token, next: next, problem: nil)
    }

    /// Stores the new password: ends all sessions of the operator, and begins a new one for this browser.
    func save(_ request: Request) async throws -> Response {
        guard let (token, session) = try await session(of: request), session.operator.mustChangePassword
        else {
            return cookies.redirect(to: "/workbench/sign-in", flash: nil)
        }
        var next = "/workbench", kept: KeptForm?
        do {
            let form = try await WorkbenchForm.fields(of: request)
            next = SignInPages.safePath(form["next"])
            kept = KeptForm(hiddenFieldsIn: form, of: request, token: token)
            guard OperatorSessions.isValidCSRFToken(form["csrf"], for: token) else {
                throw Problem.foreignForm
            }
            let passwordHash = try await setPassword(form, of: session.operator)
            let (cookie, fresh) = try await services.sessions.begin(
                session.operator, passwordHash: passwordHash)
            var response =
                try kept?.page(csrf: fresh.csrfToken, pages) ?? cookies.redirect(to: next, flash: nil)
            cookies.setSession(cookie, &response)
            return response
        } catch {
            let refusal = Refusal(answering: error, services.logger)
            var response = try page(session.operator, token, next: next, problem: refusal.problem, kept)
            response.headers.append(contentsOf: refusal.headers)
            return response
        }
    }

    /// Stores the password of the form; returns its stored hash.
    private func setPassword(_ form: FormFields, of `operator`: Operator) async throws -> String {
        let password = form["new"] ?? ""
        guard password == form["again"] else {
            throw Problem.invalidValue("the new password", "The two passwords differ.")
        }
        guard try await !services.operators.hasPassword(`operator`.id, password) else {
            throw Problem.passwordUnfit("This is the generated password; choose another.")
        }
        return try await services.audit.record(
            "changed own password", subject: `operator`.login, by: `operator`.login, environmentID: nil,
            detail: nil
        ) { try await services.operators.setPassword(`operator`.id, password) }
    }

    private func session(of request: Request) async throws -> (token: String, OperatorSessions.Session)? {
        guard let token = cookies.session(of: request),
            let session = try await services.sessions.session(token: token)
        else { return nil }
        return (token, session)
    }

    /// Returns the page, with the hidden fields of a form that the operator can send afterwards.
    func page(
        _ `operator`: Operator, _ token: String, next: String = "/workbench", problem: Problem?,
        _ kept: KeptForm? = nil
    ) throws -> Response {
        let model = Model(
            csrf: OperatorSessions.csrfToken(for: token), next: next, login: `operator`.login,
            minimumLength: PasswordRules.defaultMinimumLength, fault: problem?.title,
            faultHint: problem?.detail,
            kept: kept?.hiddenFields ?? [])
        return WorkbenchResponse.html(
            try pages.render("new-password", model), status: .init(code: problem?.status ?? 200))
    }
}
