import Foundation
import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The pages for signing in and out.
struct SignInPages: Sendable {
    let services: ServerServices
    let pages: PageLibrary
    let cookies: WorkbenchCookies

    /// The model of the page; a wrong password is never filled in again.
    struct Model {
        let csrf: String
        let next: String
        let login: String
        let hasLogin: Bool
        let fault: String?
        let faultHint: String?
        /// The hidden fields of a form that the operator can send after the sign-in.
        let kept: [HiddenField]
    }

    /// Shows the form; redirects an operator who is signed in to the page they wanted.
    func show(_ request: Request) async throws -> Response {
        let next = Self.safePath((try FormFields(encoded: request.uri.query ?? ""))["next"])
        if let token = cookies.session(of: request), try await services.sessions.session(token: token) != nil
        {
            return cookies.redirect(to: next, flash: nil)
        }
        return try page(request, next: next, problem: nil)
    }

    /// Signs the operator in, or says that the login or the password is wrong without saying which. After the sign-in,
    /// a form that was kept on the page can be sent.
    func signIn(_ request: Request, _ context: ServerContext) async throws -> Response {
        let form: FormFields
        do { form = try await WorkbenchForm.fields(of: request) } catch let problem as Problem {
            return try page(request, problem: problem)
        }
        let next = Self.safePath(form["next"])
        let login = form.trimmed("login").prefix(scalars: 128)
        let formToken = cookies.signInToken(of: request)
        let kept = KeptForm(hiddenFieldsIn: form, of: request, token: formToken)
        guard formToken.map({ OperatorSessions.isValidCSRFToken(form["csrf"], for: $0) }) == true else {
            return try page(request, next: next, login: login, problem: .foreignForm, kept)
        }
        do {
            let (cookie, session) = try await services.sessions.signIn(
                login: login, password: form["password"] ?? "", address: context.callerAddress,
                replacing: cookies.session(of: request))
            var response =
                try kept?.page(csrf: session.csrfToken, pages) ?? cookies.redirect(to: next, flash: nil)
            cookies.setSession(cookie, &response)
            return response
        } catch {
            let refusal = Refusal(answering: error, context.logger)
            var response = try page(
                request, next: next, login: login, problem: Self.problem(of: refusal), kept)
            response.headers.append(contentsOf: refusal.headers)
            return response
        }
    }

    /// Signs the operator out; throws when the form does not have the session's token.
    func signOut(_ request: Request) async throws -> Response {
        let form = try await WorkbenchForm.fields(of: request)
        guard let token = cookies.session(of: request) else {
            return cookies.redirect(to: "/workbench/sign-in", flash: nil)
        }
        guard OperatorSessions.isValidCSRFToken(form["csrf"], for: token) else { throw Problem.foreignForm }
        try await services.sessions.signOut(token: token)
        var response = cookies.redirect(to: "/workbench/sign-in", flash: nil)
        cookies.clearSession(&response)
        return response
    }

    /// Returns the page, with the hidden fields of a form that the operator can send after the sign-in.
    func page(
        _ request: Request, next: String = "/workbench", login: String = "", problem: Problem?,
        _ kept: KeptForm? = nil
    ) throws -> Response {
        let existing = cookies.signInToken(of: request).flatMap { $0.utf8.count == 43 ? $0 : nil }
        let token = existing ?? Secret.random(bytes: 32)
        let model = Model(
            csrf: OperatorSessions.csrfToken(for: token), next: next, login: login, hasLogin: !login.isEmpty,
            fault: problem?.title, faultHint: problem?.detail, kept: kept?.hiddenFields ?? [])
        var response = WorkbenchResponse.html(
            try pages.render("sign-in", model), status: .init(code: problem?.status ?? 200))
        if existing == nil { cookies.setSignInToken(token, &response) }
        return response
    }

    /// Returns a path of the Workbench, whatever was requested: a sign-in must not redirect to another site.
    static func safePath(_ wanted: String?) -> String {
        guard let wanted, wanted.hasPrefix("/workbench"), !wanted.contains("//"), !wanted.contains("\\"),
            wanted.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !wanted.hasPrefix("/workbench/sign-")
        else { return "/workbench" }
        return wanted
    }

    private static func problem(of refusal: Refusal) -> Problem {
        guard refusal.problem.status == 429 else { return refusal.problem }
        let minutes = max(1, ((refusal.headers[.retryAfter].flatMap { Int($0) } ?? 900) + 59) / 60)
        return Problem(
            .rateLimited, status: 429, title: "Too many wrong passwords.",
            detail:
                "Wait \(minutes) minute\(minutes == 1 ? "" : "s") and try again. An admin can set a new password."
        )
    }
}
