import Foundation
import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire

/// Signing in and out.
struct SignInPages: Sendable {
    let services: ServerServices
    let pages: PageLibrary
    let cookies: WorkbenchCookies

    /// The model of the page; a wrong password is never filled in again.
    struct Model {
        let csrf: String
        let next: String
        let login: String
        let fault: String?
        let faultHint: String?
    }

    /// The form. Someone who is signed in goes on to where they wanted.
    func show(_ request: Request) async throws -> Response {
        let next = Self.next((try FormFields(encoded: request.uri.query ?? ""))["next"])
        if let token = cookies.session(of: request), try await services.sessions.session(token: token) != nil
        {
            return cookies.redirect(to: next, flash: nil)
        }
        return try page(request, next: next, login: "", problem: nil)
    }

    /// Takes the form: signs in, or says that login or password is wrong without saying which.
    func enter(_ request: Request, _ context: ServerContext) async throws -> Response {
        let form: FormFields
        do { form = try await WorkbenchForm.fields(of: request) } catch let problem as Problem {
            return try page(request, next: "/workbench", login: "", problem: problem)
        }
        let next = Self.next(form["next"])
        let login = form.trimmed("login").prefix(scalars: 128)
        guard let token = cookies.gate(of: request), OperatorSessions.isOwnForm(form["csrf"], token: token)
        else {
            return try page(request, next: next, login: login, problem: .foreignForm)
        }
        do {
            let (session, _) = try await services.sessions.signIn(
                login: login, password: form["password"] ?? "", address: context.callerAddress,
                replacing: cookies.session(of: request))
            var response = cookies.redirect(to: next, flash: nil)
            cookies.keepSession(session, &response)
            return response
        } catch let problem as Problem {
            return try page(request, next: next, login: login, problem: problem)
        } catch let refusal as Refusal {
            var response = try page(request, next: next, login: login, problem: Self.tooMany(refusal))
            response.headers[.retryAfter] = refusal.headers[.retryAfter]
            return response
        }
    }

    /// Ends the sign-in of the form's own page.
    func leave(_ request: Request) async throws -> Response {
        let form = try await WorkbenchForm.fields(of: request)
        guard let token = cookies.session(of: request) else {
            return cookies.redirect(to: "/workbench/sign-in", flash: nil)
        }
        guard OperatorSessions.isOwnForm(form["csrf"], token: token) else { throw Problem.foreignForm }
        try await services.sessions.signOut(token: token)
        var response = cookies.redirect(to: "/workbench/sign-in", flash: nil)
        cookies.forgetSession(&response)
        return response
    }

    private func page(_ request: Request, next: String, login: String, problem: Problem?) throws -> Response {
        let known = cookies.gate(of: request).flatMap { $0.utf8.count == 43 ? $0 : nil }
        let token = known ?? Secret.random(bytes: 32)
        let model = Model(
            csrf: OperatorSessions.formToken(for: token), next: next, login: login, fault: problem?.title,
            faultHint: problem?.detail)
        var response = WorkbenchResponse.html(
            try pages.render("sign-in", model), status: .init(code: problem?.status ?? 200))
        if known == nil { cookies.keepGate(token, &response) }
        return response
    }

    /// Only a path of the Workbench: a sign-in must not send anyone to another site.
    static func next(_ wanted: String?) -> String {
        guard let wanted, wanted.hasPrefix("/workbench"), !wanted.contains("//"), !wanted.contains("\\"),
            wanted.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !wanted.hasPrefix("/workbench/sign-")
        else { return "/workbench" }
        return wanted
    }

    private static func tooMany(_ refusal: Refusal) -> Problem {
        let minutes = max(1, ((refusal.headers[.retryAfter].flatMap { Int($0) } ?? 900) + 59) / 60)
        return Problem(
            .rateLimited, status: 429, title: "Too many wrong passwords.",
            detail:
                "Wait \(minutes) minute\(minutes == 1 ? "" : "s") and try again. An admin can set a new password."
        )
    }
}
