import Foundation
@_spi(Inlay) package import InlayWire

/// The rules for passwords of end users and operators: a minimum length, and none of the most common ones.
///
/// No classes of letters, no rotation, no hints. Lengths are counted in code points after NFKC, so that the
/// same password typed on two keyboards is the same.
package struct PasswordRules: Sendable {
    /// Fifteen code points: a password is the only factor here.
    package static let defaultMinimumLength = 15
    /// The minimum lengths that an application may require instead.
    package static let allowedMinimumLengths = 8...64
    /// The maximum number of code points, far beyond the 64 that must be possible.
    static let maximumLength = 256
    /// The maximum number of bytes that are hashed: 256 code points of four bytes.
    package static let maximumBytes = 1024

    /// The minimum number of code points.
    let minimumLength: Int
    /// The words that a password must not consist of: those of the address, and the application's name.
    let ownWords: [String]

    /// Creates rules. `login` is a mail address or another name to log in with, `service` the name of what people log
    /// in to.
    package init(minimumLength: Int = Self.defaultMinimumLength, login: String, service: String) {
        self.minimumLength = minimumLength
        let local = login.prefix { $0 != "@" }
        let domain = login.drop { $0 != "@" }.dropFirst().prefix { $0 != "." }
        ownWords = [String(local), String(domain), service].map { $0.lowercased() }
    }

    /// The rules for an operator of this server.
    static func forOperator(_ login: String) -> Self { Self(login: login, service: "workbench") }

    /// Returns the password in the form that is hashed; throws `account.password-unfit` with the rule that it breaks.
    package func checked(_ typed: String) throws -> String {
        let password = Self.normalised(typed)
        let length = password.unicodeScalars.count
        guard length >= minimumLength else {
            throw Problem.passwordUnfit(
                "It needs at least \(minimumLength) characters; a few words make a good one.")
        }
        guard length <= Self.maximumLength else {
            throw Problem.passwordUnfit("It may have at most \(Self.maximumLength) characters.")
        }
        guard !password.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw Problem.passwordUnfit("It holds a character that cannot be typed everywhere.")
        }
        if let reason = CommonPasswords.reason(against: password, ownWords: ownWords) {
            throw Problem.passwordUnfit(reason)
        }
        return password
    }

    /// Returns the password in NFKC, which is the same for every way of typing it.
    ///
    /// Of a text longer than any password only the start is normalised, which is enough to refuse it: NFKC makes one
    /// code point of at most four.
    package static func normalised(_ typed: String) -> String {
        typed.prefix(scalars: 8 * maximumLength).precomposedStringWithCompatibilityMapping
    }
}

extension Problem {
    /// A password that breaks a rule; `reason` says which.
    package static func passwordUnfit(_ reason: String) -> Problem {
        Problem(.passwordUnfit, status: 422, title: "This password cannot be used.", detail: reason)
    }
}
