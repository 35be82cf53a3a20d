import HTTPTypes
import Hummingbird
import InlayServerCore

/// The form of a request, which is read before the session is checked.
struct SentForm: Sendable {
    /// The fields, or the error of reading them.
    let fields: Result<FormFields, any Error>
    /// The form for a response that does not process it; `nil` when another site may have sent it.
    let kept: KeptForm?

    init(_ request: Request, _ route: WorkbenchRoute, token: String?) async {
        do { fields = .success(try await WorkbenchForm.fields(of: request)) } catch {
            fields = .failure(error)
        }
        kept = (try? fields.get()).flatMap {
            KeptForm($0, of: request, without: route.secrets, token: token)
        }
    }
}

/// The fields of a form that was not processed, because the session had ended or the server failed.
///
/// The response contains them as hidden fields, until the operator sends them again with a valid token.
/// Neither the server nor the browser stores them.
struct KeptForm: Sendable {
    /// The path and query to which the form is sent.
    let path: String
    /// The fields, without the token and without secrets.
    let fields: FormFields
    /// The token as it was sent.
    let csrf: String

    private static let pathField = "kept"
    private static let prefix = "kept."

    /// Keeps the form of a request. Returns `nil` for a script's request, whose page stays open, and for a form that
    /// another site may have sent: an operator who signs in and sends it again would send values they never typed.
    ///
    /// - Parameter token: The token in the session cookie; the session may have ended.
    init?(_ form: FormFields, of request: Request, without secrets: Set<String>, token: String?) {
        let path = request.uri.string
        guard request.headers[.inlayFragment] == nil, SignInPages.safePath(path) == path,
            Self.isFromOwnPage(form, request, token: token)
        else { return nil }
        self.path = path
        fields = FormFields(
            form.pairs.filter { $0.name != "csrf" && !secrets.contains($0.name) }.map { ($0.name, $0.value) })
        csrf = form["csrf"] ?? ""
    }

    /// Reads the form from the hidden fields of a sign-in page; `nil` when it has none.
    init?(hiddenFieldsIn form: FormFields, of request: Request, token: String?) {
        guard let path = form[Self.pathField], SignInPages.safePath(path) == path,
            Self.isFromOwnPage(form, request, token: token)
        else { return nil }
        self.path = path
        fields = FormFields(
            form.pairs.filter { $0.name.hasPrefix(Self.prefix) }.map {
                (String($0.name.dropFirst(Self.prefix.count)), $0.value)
            })
        csrf = ""
    }

    /// The hidden fields of a sign-in page, from which ``init(hiddenFieldsIn:of:token:)`` reads the form.
    var hiddenFields: [HiddenField] {
        [HiddenField(hiddenName: Self.pathField, hiddenValue: path)]
            + fields.pairs.map { HiddenField(hiddenName: Self.prefix + $0.name, hiddenValue: $0.value) }
    }

    /// Returns the page after a sign-in, whose button sends the form.
    func page(csrf: String, _ pages: PageLibrary) throws -> Response {
        let html = try pages.render("fault-bare", FaultModel(signedInAgain: self, csrf: csrf))
        return WorkbenchResponse.html(html, status: .ok)
    }

    /// Whether a page of this server sent the form.
    ///
    /// Either the form has the token that belongs to the browser's cookie, even if that session has ended; or the
    /// browser says so (Fetch Metadata, `Sec-Fetch-Site`), which it does for servers reached by HTTPS or on the same
    /// machine.
    private static func isFromOwnPage(_ form: FormFields, _ request: Request, token: String?) -> Bool {
        if let token, OperatorSessions.isValidCSRFToken(form["csrf"], for: token) { return true }
        return request.headers[.secFetchSite] == "same-origin"
    }
}
