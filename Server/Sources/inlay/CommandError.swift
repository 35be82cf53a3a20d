import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// An error of a running command, as text for the operator: printed on standard error, with exit status 1 and without
/// the command's usage.
///
/// `ValidationError` is for arguments that cannot be understood: it prints the usage and exits with 64. Only the parsing
/// of arguments and `validate()` throw it.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    /// Creates an error; the text says what is wrong and what to do.
    init(_ description: String) { self.description = description }

    /// Creates an error with the text of a problem.
    init(_ problem: Problem) {
        description = [problem.title, problem.detail].compactMap(\.self).joined(separator: " ")
    }

    /// Creates an error with the text of a file system error and the name of the file, which that text lacks.
    init(_ error: CocoaError) {
        let file = error.filePath ?? error.url?.path
        description = [file, error.localizedDescription].compactMap(\.self).joined(separator: ": ")
    }

    /// Returns an error in the form in which it is printed, without secrets that a library's error may quote.
    static func printed(_ error: any Error, without secrets: SecretRedactor) -> any Error {
        let error = printed(error)
        let shown = secrets.removed(from: error.localizedDescription)
        return shown == error.localizedDescription ? secrets.removed(from: error) : CommandError(shown)
    }

    /// Returns an error in the form in which it is printed.
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
