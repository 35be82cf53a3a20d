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
    /// Code points; far beyond the 64 that must be possible.
    static let maximumLength = 256
    /// Bytes that are hashed at most: 256 code points of four bytes.
    package static let maximumBytes = 1024

    /// Code points asked for.
    let minimumLength: Int
    /// Words a password must not be made of: the address's and the application's own.
    let ownWords: [String]

    /// `login` is a mail address or another name to log in with, `service` what people log in to.
    package init(minimumLength: Int = Self.defaultMinimumLength, login: String, service: String) {
        self.minimumLength = minimumLength
        let local = login.prefix { $0 != "@" }
        let domain = login.drop { $0 != "@" }.dropFirst().prefix { $0 != "." }
        ownWords = [String(local), String(domain), service].map { $0.lowercased() }
    }

    /// The rules for an operator of this server.
    static func forOperator(_ login: String) -> Self { Self(login: login, service: "workbench") }

    /// The password as it is hashed; throws `account.password-unfit` with the rule that it breaks.
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

    /// One spelling for every way of typing the same: NFKC.
    ///
    /// Of a text that is longer than any password the start is enough to refuse it: NFKC makes one code point of at most
    /// four.
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
