package import InlayServerCore

/// A route of the Workbench: its path, its minimum role and its handler.
///
/// All pages except those of the sign-in are routes, so that a test can check for each of them that the role and the
/// form's token are required.
package struct WorkbenchRoute: Sendable {
    /// The method of a request. `GET` changes nothing; a change is a form's `POST`, or the `PUT` of a file, which a
    /// script of the page sends with the form's token in a header.
    enum Method: String, Sendable { case get, post, put }

    package typealias Handler = @Sendable (WorkbenchRequest) async throws -> WorkbenchResult

    let method: Method
    /// The path below `/workbench/`, for example `e/:environment/users`. The environment is looked up before the
    /// handler runs.
    let path: String
    /// The minimum role.
    let role: OperatorRole
    /// The names of the fields with passwords, which no page shows again.
    var secrets: Set<String> = []
    let handler: Handler

    /// Creates the route of a page.
    package static func page(_ path: String, for role: OperatorRole = .analyst, _ handler: @escaping Handler)
        -> Self
    {
        Self(method: .get, path: path, role: role, handler: handler)
    }

    /// Creates the route of a form that changes something; `secrets` are the names of its fields with passwords.
    package static func form(
        _ path: String, for role: OperatorRole, secrets: Set<String> = [], _ handler: @escaping Handler
    ) -> Self {
        Self(method: .post, path: path, role: role, secrets: secrets, handler: handler)
    }

    /// Creates the route of an upload: the handler reads the file from `WorkbenchRequest.upload`.
    package static func upload(_ path: String, for role: OperatorRole, _ handler: @escaping Handler) -> Self {
        Self(method: .put, path: path, role: role, handler: handler)
    }
}
