import Foundation
package import Hummingbird
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The parsing of a form's body.
package enum WorkbenchForm {
    /// Returns the fields of a form. Throws `unsupported-media-type`, `body-too-large` over 1 MiB, and
    /// `malformed-body`.
    package static func fields(of request: Request) async throws -> FormFields {
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard type?.lowercased() == "application/x-www-form-urlencoded" else {
            throw Problem.unsupportedMediaType
        }
        let buffer = try await request.bytes()
        guard let text = String(validating: buffer.readableBytesView, as: UTF8.self) else {
            throw Problem.malformedBody("It is not UTF-8.")
        }
        return try FormFields(encoded: text)
    }
}

extension Problem {
    /// The problem of a form without the token of this session: it is another site's, or older than the last sign-in.
    package static let foreignForm = Problem(
        .forbidden, status: 403, title: "This form is out of date.",
        detail: "Go back, load the page again and repeat what you did. Nothing was changed.")

    /// The problem of a form that is kept: the operator has signed in again since its page was loaded.
    static let formOutOfDate = Problem(
        .forbidden, status: 403, title: "This form is out of date.",
        detail:
            "You signed in again after its page was loaded. Nothing was changed. Send what you typed again.")

    /// The problem of a request without a session.
    static let signedOut = Problem(
        .forbidden, status: 401, title: "You are signed out.", detail: "Sign in and repeat what you did.")

    /// The problem of a request without a session, when its form is kept.
    static let signedOutOfForm = Problem(
        .forbidden, status: 401, title: "You are signed out.",
        detail: "What you typed is kept on this page. Sign in here, and you can send it again.")

    /// The problem of a request by an operator with a temporary password.
    static let passwordChangeDue = Problem(
        .forbidden, status: 403, title: "Choose a password of your own first.",
        detail: "Open the Workbench in your browser: it asks for one.")

    /// The problem of an operator with a temporary password, when the form is kept.
    static let passwordChangeBeforeForm = Problem(
        .forbidden, status: 403, title: "Choose a password of your own first.",
        detail: "What you typed is kept on this page, and you can send it again afterwards.")

    /// Returns the problem of a request that needs a higher role.
    static func roleTooLow(_ role: OperatorRole) -> Problem {
        Problem(
            .forbidden, status: 403, title: "Your role does not allow this.",
            detail: "It needs the role \(role.rawValue). An admin can change roles in Settings.")
    }
}
