import Foundation
@_spi(Inlay) import InlayWire

extension InlayServerConfiguration {
    /// The content of `firstPasswordFile`, without the end of its line; `nil` without that setting.
    ///
    /// Throws ``ConfigurationError`` that names the file when it cannot be read, or its password is refused.
    package func firstPassword() throws -> SecretString? {
        guard let firstPasswordFile else { return nil }
        guard let data = FileManager.default.contents(atPath: firstPasswordFile),
            let text = String(data: data, encoding: .utf8)
        else {
            throw ConfigurationError(
                description: "The first password \(firstPasswordFile) cannot be read as text.")
        }
        let password = text.trimmingCharacters(in: .newlines)
        do {
            _ = try PasswordRules.forOperator("admin").checked(password)
        } catch let problem as Problem {
            throw ConfigurationError(
                description: "The first password in \(firstPasswordFile) is refused. \(problem.detail ?? "")")
        }
        return SecretString(password)
    }
}
