package import InlayServerCore

/// One address of the Workbench: who may use it and what answers.
///
/// Every page is one of these and nothing else is routed, so that a test can walk the table and prove
/// for each address that roles and form tokens are asked for.
package struct WorkbenchRoute: Sendable {
    /// Reading changes nothing; everything that changes something is a form's `POST`, or the `PUT` of a
    /// file, which a script of the page sends with the form's token in a header.
    enum Method: String, Sendable { case get, post, put }

    package typealias Handler = @Sendable (WorkbenchRequest) async throws -> WorkbenchResult

    let method: Method
    /// Below `/workbench/`, for example `e/:environment/users`. `:environment` is looked up before the
    /// answer is asked for.
    let path: String
    /// The least role.
    let role: OperatorRole
    /// The names of fields with passwords, which no page shows again.
    var secrets: Set<String> = []
    let answer: Handler

    /// A page to look at.
    package static func page(_ path: String, for role: OperatorRole = .analyst, _ answer: @escaping Handler)
        -> Self
    {
        Self(method: .get, path: path, role: role, answer: answer)
    }

    /// A form that changes something; `secrets` are the names of its fields with passwords.
    package static func form(
        _ path: String, for role: OperatorRole, secrets: Set<String> = [], _ answer: @escaping Handler
    ) -> Self {
        Self(method: .post, path: path, role: role, secrets: secrets, answer: answer)
    }

    /// A file that comes as the body of its request; the answer reads it from `WorkbenchRequest.upload`.
    package static func upload(_ path: String, for role: OperatorRole, _ answer: @escaping Handler) -> Self {
        Self(method: .put, path: path, role: role, answer: answer)
    }
}
