import Foundation
@_spi(Inlay) import InlayWire

extension InlayServerConfiguration {
    /// The content of `firstPasswordFile`, without a byte order mark and the end of its line; `nil` without that
    /// setting.
    ///
    /// Throws ``ConfigurationError`` that names the file when it cannot be read, or its password is refused.
    package func firstPassword() throws -> SecretString? {
        guard let firstPasswordFile else { return nil }
        let password = try String(textFileAt: firstPasswordFile).trimmingCharacters(in: .newlines)
        do {
            _ = try PasswordRules.forOperator("admin").checked(password)
        } catch let problem as Problem {
            throw ConfigurationError(
                description: "The first password in \(firstPasswordFile) is refused. \(problem.detail ?? "")")
        }
        return SecretString(password)
    }
}
