import Foundation
import HTTPTypes
import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging

/// The handler of all requests to pages: it checks the session, the role and the form's token, calls the route, and
/// renders the result.
struct WorkbenchGate: Sendable {
    let services: ServerServices
    let pages: PageLibrary
    let cookies: WorkbenchCookies
    let navigation: [NavigationEntry]

    /// The pages that sign in and out.
    var signIn: SignInPages { SignInPages(services: services, pages: pages, cookies: cookies) }
    /// The page on which an operator replaces a temporary password.
    var newPassword: NewPasswordPages { NewPasswordPages(services: services, pages: pages, cookies: cookies) }

    /// Returns the response to a URL without a route: a page that says so, in the frame of the environment that the
    /// URL names.
    func respond(
        toUnknown request: Request, _ context: ServerContext, _ problem: Problem
    ) async -> Response {
        let parts = request.uri.path.split(separator: "/")
        let isInside = parts.count > 2 && parts[1] == "e"
        return await respond(
            to: request, context, .page("**") { _ in throw problem },
            parameters: isInside ? ["environment": parts[2]] : [:])
    }

    /// Returns the response of a route. Every error becomes a page that says what to do.
    func respond(to request: Request, _ context: ServerContext, _ route: WorkbenchRoute) async -> Response {
        let parameters = Dictionary(context.parameters.map { (String($0.key), $0.value) }) { _, last in last }
        return await respond(to: request, context, route, parameters: parameters)
    }

    /// Returns the response of a page that needs no session, or the page about its error.
    func respond(_ context: ServerContext, _ handler: () async throws -> Response) async -> Response {
        do { return try await handler() } catch { return fault(error, context.logger, request: nil) }
    }

    private func respond(
        to request: Request, _ context: ServerContext, _ route: WorkbenchRoute,
        parameters: [String: Substring]
    ) async -> Response {
        let cookie = cookies.session(of: request)
        let form = await route.method == .post ? SentForm(request, route, token: cookie) : nil
        do {
            guard let cookie, let session = try await services.sessions.session(token: cookie) else {
                return try signInFirst(request, form?.kept)
            }
            guard !session.operator.mustChangePassword else {
                return try changePasswordFirst(request, session, token: cookie, form?.kept)
            }
            return try await respond(to: request, context, route, parameters, session, form, token: cookie)
        } catch {
            return fault(error, context.logger, request: nil, form?.kept)
        }
    }

    private func respond(
        to request: Request, _ context: ServerContext, _ route: WorkbenchRoute,
        _ encoded: [String: Substring], _ session: OperatorSessions.Session, _ form: SentForm?, token: String
    ) async throws -> Response {
        var current: WorkbenchRequest?
        do {
            let withoutBody = try await makeRequest(request, encoded, session)
            current = withoutBody
            guard session.operator.role >= route.role else { throw Problem.roleTooLow(route.role) }
            let complete = try addingBody(to: withoutBody, from: request, form, route.method, token: token)
            current = complete
            if let name = complete.parameters["environment"], complete.environment == nil {
                throw Problem.notFound("environment", named: name)
            }
            return try render(try await result(of: route, to: complete), for: complete)
        } catch {
            return fault(error, context.logger, request: current, form?.kept)
        }
    }

    /// Returns the route's result, after its changes are in the audit log.
    ///
    /// The change of a record has stored its line in its own transaction. A form without any line that redirects, with
    /// a message that is no fault, gets a line with its path, so that every change has a line.
    func result(of route: WorkbenchRoute, to request: WorkbenchRequest) async throws -> WorkbenchResult {
        let result: Result<WorkbenchResult, any Error>
        do { result = .success(try await route.handler(request)) } catch { result = .failure(error) }
        var lines = request.auditLines.pending
        if request.auditLines.isEmpty, route.method != .get, case .success(.redirect(_, let flash)) = result,
            flash?.isFault != true
        {
            lines = [
                .init(
                    action: Self.unnamedChange, subject: request.path, detail: nil,
                    environmentID: request.environment?.id)
            ]
        }
        for line in lines {
            try await services.audit.record(
                line.action, subject: line.subject, by: request.operator.login,
                environmentID: line.environmentID, detail: line.detail)
        }
        return try result.get()
    }

    /// The action in the line of a form that records none itself.
    static let unnamedChange = "sent form"

    private func makeRequest(
        _ request: Request, _ encoded: [String: Substring], _ session: OperatorSessions.Session
    ) async throws -> WorkbenchRequest {
        var parameters: [String: String] = [:]
        for (name, value) in encoded {
            guard let decoded = String(value).removingPercentEncoding, !decoded.contains("\0") else {
                throw Problem.notFound
            }
            parameters[name] = decoded
        }
        let environments = try await services.environments.environments()
        return WorkbenchRequest(
            operator: session.operator, csrfToken: session.csrfToken,
            environment: environments.first { $0.id.rawValue == parameters["environment"] },
            environments: environments,
            path: request.uri.path, query: try FormFields(encoded: request.uri.query ?? ""),
            form: FormFields(), upload: nil,
            parameters: parameters, flash: cookies.flash(of: request),
            wantsFragment: request.headers[.inlayFragment] != nil, now: services.now(),
            auditLines: AuditLines(), serverZone: services.configuration.timeZone)
    }

    /// Returns the request with the form or upload of its body; throws when no page of the Workbench sent it.
    private func addingBody(
        to plain: WorkbenchRequest, from request: Request, _ form: SentForm?, _ method: WorkbenchRoute.Method,
        token: String
    ) throws -> WorkbenchRequest {
        switch method {
        case .get: return plain
        case .post: return plain.with(form: try ownFields(of: form, token: token), upload: nil)
        case .put:
            let isOwn = OperatorSessions.isValidCSRFToken(request.headers[.inlayForm], for: token)
            guard isOwn else { throw Problem.foreignForm }
            return plain.with(form: FormFields(), upload: request.body)
        }
    }

    /// Returns the fields of a form; throws when no page of the Workbench sent it.
    private func ownFields(of form: SentForm?, token: String) throws -> FormFields {
        guard let fields = try form?.fields.get(),
            OperatorSessions.isValidCSRFToken(fields["csrf"], for: token)
        else {
            throw form?.kept == nil ? Problem.foreignForm : .formOutOfDate
        }
        return fields
    }

    private func signInFirst(_ request: Request, _ kept: KeptForm?) throws -> Response {
        if let kept { return try signIn.page(request, problem: .signedOutOfForm, kept) }
        guard request.method == .get, request.headers[.inlayFragment] == nil else {
            return fault(Problem.signedOut, services.logger, request: nil)
        }
        let wanted = FormFields.escaped(request.uri.string)
        return cookies.redirect(to: "/workbench/sign-in?next=\(wanted)", flash: nil)
    }

    private func changePasswordFirst(
        _ request: Request, _ session: OperatorSessions.Session, token: String, _ kept: KeptForm?
    ) throws -> Response {
        if let kept {
            return try newPassword.page(session.operator, token, problem: .passwordChangeBeforeForm, kept)
        }
        guard request.method == .get, request.headers[.inlayFragment] == nil else {
            return fault(Problem.passwordChangeDue, services.logger, request: nil)
        }
        return cookies.redirect(
            to: "\(NewPasswordPages.path)?next=\(FormFields.escaped(request.uri.string))", flash: nil)
    }

    // MARK: Rendering

    private func render(_ result: WorkbenchResult, for request: WorkbenchRequest) throws -> Response {
        switch result {
        case .page(let page): return try render(page, for: request)
        case .fragment(let template, let model):
            return WorkbenchResponse.html(try pages.render(template, model), status: .ok)
        case .data(let data, let mediaType, let policy):
            return WorkbenchResponse.data(data, mediaType, policy: policy ?? WorkbenchResponse.policy)
        case .stream(let body, let mediaType, let policy):
            return WorkbenchResponse.body(body, mediaType, policy: policy)
        case .file(let data, let mediaType, let name):
            var response = WorkbenchResponse.data(data, mediaType, policy: WorkbenchResponse.policy)
            response.headers[.contentDisposition] = "attachment; filename=\"\(name)\""
            return response
        case .redirect(let path, let flash): return cookies.redirect(to: path, flash: flash)
        }
    }

    private func render(_ page: WorkbenchResult.Page, for request: WorkbenchRequest) throws -> Response {
        let content = try pages.render(page.template, page.model)
        let frame = FrameModel(page, content: content, navigation, for: request)
        var response = WorkbenchResponse.html(
            try pages.render("layout", frame), status: .init(code: page.status))
        if request.flash != nil { cookies.clearFlash(&response) }
        return response
    }

    private func fault(
        _ error: any Error, _ logger: Logger, request: WorkbenchRequest?, _ kept: KeptForm? = nil
    ) -> Response {
        let refusal = Refusal(answering: error, logger)
        do {
            var response = try page(about: refusal.problem, for: request, kept)
            response.headers.append(contentsOf: refusal.headers)
            return response
        } catch {
            logger.error("A page of the Workbench could not be drawn", metadata: ["error": "\(error)"])
            return refusal.problem.problemResponse(headers: refusal.headers)
        }
    }

    private func page(
        about problem: Problem, for request: WorkbenchRequest?, _ kept: KeptForm?
    ) throws -> Response {
        let model = FaultModel(problem, kept, csrf: request?.csrfToken)
        guard let request, !request.wantsFragment else {
            let html = try pages.render(request == nil ? "fault-bare" : "fault", model)
            return WorkbenchResponse.html(html, status: .init(code: problem.status))
        }
        return try render(
            .init(title: problem.title, template: "fault", model: model, status: problem.status),
            for: request)
    }
}

extension WorkbenchRequest {
    fileprivate func with(form: FormFields, upload: RequestBody?) -> WorkbenchRequest {
        WorkbenchRequest(
            operator: `operator`, csrfToken: csrfToken, environment: environment, environments: environments,
            path: path, query: query, form: form, upload: upload, parameters: parameters, flash: flash,
            wantsFragment: wantsFragment, now: now, auditLines: auditLines, serverZone: serverZone)
    }
}
