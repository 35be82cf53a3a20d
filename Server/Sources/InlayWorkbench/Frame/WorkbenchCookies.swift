import HTTPTypes
import Hummingbird
import InlayServerCore

/// The Workbench's cookies: the session, the flash message, and the token of the sign-in form.
///
/// ``CookieRules`` sets their attributes.
struct WorkbenchCookies: Sendable {
    private static let session = "inlay_session"
    private static let signInToken = "inlay_gate"

    let rules: CookieRules

    /// Returns the session token that the browser sent.
    func session(of request: Request) -> String? { request.cookies[rules.name(of: Self.session)]?.value }

    /// Returns the message about the last action.
    func flash(of request: Request) -> Flash? {
        request.cookies[rules.name(of: Flash.cookie)].flatMap { Flash(cookie: $0.value) }
    }

    /// Returns the token of the sign-in form.
    func signInToken(of request: Request) -> String? {
        request.cookies[rules.name(of: Self.signInToken)]?.value
    }

    func setSession(_ token: String, _ response: inout Response) {
        set(Self.session, token, for: OperatorSessions.maximumLifetime.components.seconds, &response)
    }

    func clearSession(_ response: inout Response) { set(Self.session, "", for: 0, &response) }

    func setSignInToken(_ token: String, _ response: inout Response) {
        set(Self.signInToken, token, for: 3_600, &response)
    }

    func clearFlash(_ response: inout Response) { set(Flash.cookie, "", for: 0, &response) }

    /// Returns a redirect with status 303, which the browser follows with `GET` even after a form.
    func redirect(to path: String, flash: Flash?) -> Response {
        var response = Response(
            status: .seeOther, headers: [.location: path, .cacheControl: "no-store"])
        if let flash { set(Flash.cookie, flash.cookieValue, for: 60, &response) }
        return response
    }

    private func set(_ name: String, _ value: String, for seconds: Int64, _ response: inout Response) {
        let cookie = rules.field(name, value, path: "/workbench", seconds: seconds)
        response.headers.append(HTTPField(name: .setCookie, value: cookie))
    }
}
