import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// An error of a command's work as text for its operator: printed on standard error, with exit status 1 and without the
/// command's usage.
///
/// `ValidationError` is for arguments that cannot be understood: it prints the usage and exits with 64. Only the parsing
/// of arguments and `validate()` throw it.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    /// An error with a text that says what is wrong and what to do.
    init(_ description: String) { self.description = description }

    /// The text of a problem of the server or of its answer.
    init(_ problem: Problem) {
        description = [problem.title, problem.detail].compactMap(\.self).joined(separator: " ")
    }

    /// The text of an error of the file system, which by itself does not name its file.
    init(_ error: CocoaError) {
        let file = error.filePath ?? error.url?.path
        description = [file, error.localizedDescription].compactMap(\.self).joined(separator: ": ")
    }

    /// The error of a command as it is printed, without secrets that the error of a library may quote.
    static func printed(_ error: any Error, without secrets: SecretRedactor) -> any Error {
        let error = printed(error)
        let shown = secrets.removed(from: error.localizedDescription)
        return shown == error.localizedDescription ? secrets.removed(from: error) : CommandError(shown)
    }

    /// The error of a command as it is printed.
    static func printed(_ error: any Error) -> any Error {
        switch error {
        case let problem as Problem: CommandError(problem)
        case let refusal as Refusal: CommandError(refusal.problem)
        case let errors as FieldErrors: CommandError(errors.problem.detail ?? errors.problem.title)
        case let error as CocoaError: CommandError(error)
        case let error as POSIXError: CommandError(error.localizedDescription)
        default: error
        }
    }
}
