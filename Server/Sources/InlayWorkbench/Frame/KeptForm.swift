import HTTPTypes
import Hummingbird
import InlayServerCore

/// The form of a request, which is read before its sender is known.
struct SentForm: Sendable {
    /// The fields, or the reason why they cannot be read.
    let fields: Result<FormFields, any Error>
    /// The form for a page that answers it without taking it; `nil` where it may come from another site.
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

/// The fields of a form that was not taken, for the page that answers: its sign-in ended, or the server failed.
///
/// The fields travel within the pages, as hidden fields, until the operator sends them again with a valid
/// token. Neither the server nor the browser stores them.
struct KeptForm: Sendable {
    /// The address that the form goes to.
    let path: String
    /// The fields, without the token and without secrets.
    let fields: FormFields
    /// The token as it was sent.
    let csrf: String

    private static let pathField = "kept"
    private static let prefix = "kept."

    /// The form of a request; `nil` for one of a script, which keeps its page, and for one that may come from another
    /// site: an operator who signs in to send it again would send what they never typed.
    ///
    /// - Parameter token: The token of the sign-in cookie, of a sign-in that may have ended.
    init?(_ form: FormFields, of request: Request, without secrets: Set<String>, token: String?) {
        let path = request.uri.string
        guard request.headers[.inlayFragment] == nil, SignInPages.next(path) == path,
            Self.isFromOwnPage(form, request, token: token)
        else { return nil }
        self.path = path
        fields = FormFields(
            form.pairs.filter { $0.name != "csrf" && !secrets.contains($0.name) }.map { ($0.name, $0.value) })
        csrf = form["csrf"] ?? ""
    }

    /// The form that a page of the sign-in carries; `nil` where it carries none.
    init?(carriedBy form: FormFields, of request: Request, token: String?) {
        guard let path = form[Self.pathField], SignInPages.next(path) == path,
            Self.isFromOwnPage(form, request, token: token)
        else { return nil }
        self.path = path
        fields = FormFields(
            form.pairs.filter { $0.name.hasPrefix(Self.prefix) }.map {
                (String($0.name.dropFirst(Self.prefix.count)), $0.value)
            })
        csrf = ""
    }

    /// The fields with which a page of the sign-in carries the form.
    var carried: [HiddenField] {
        [HiddenField(hiddenName: Self.pathField, hiddenValue: path)]
            + fields.pairs.map { HiddenField(hiddenName: Self.prefix + $0.name, hiddenValue: $0.value) }
    }

    /// The page after a sign-in, whose button sends the form.
    func page(csrf: String, _ pages: PageLibrary) throws -> Response {
        let html = try pages.render("fault-bare", FaultModel(signedInAgain: self, csrf: csrf))
        return WorkbenchResponse.html(html, status: .ok)
    }

    /// Whether a page of this server sent the form.
    ///
    /// It holds the token that belongs to the browser's own cookie, whether that sign-in is in force or not; or the
    /// browser says so (Fetch Metadata, `Sec-Fetch-Site`), as it does to servers reached by https or on the same machine.
    private static func isFromOwnPage(_ form: FormFields, _ request: Request, token: String?) -> Bool {
        if let token, OperatorSessions.isOwnForm(form["csrf"], token: token) { return true }
        return request.headers[.secFetchSite] == "same-origin"
    }
}
