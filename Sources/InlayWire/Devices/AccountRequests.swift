/// Asks for an account.
public struct AccountRequest: Codable, Hashable, Sendable {
    /// The mail address.
    public var email: String
    /// The first password; without one the account is opened by mail until one is set.
    public var password: String?

    /// A request for an account.
    public init(email: String, password: String? = nil) {
        self.email = email
        self.password = password
    }
}

/// Proves an address with the code that was mailed to it, and logs in.
public struct AccountProof: Codable, Hashable, Sendable {
    /// The mail address.
    public var email: String
    /// The code from the mail.
    public var code: String
    /// What came with `AccountNext`, when this app asked for the account: only with it the password that
    /// was sent then becomes the account's, and the code has tries of its own. A stranger who asked with the same
    /// address never has it.
    public var request: String?

    /// A proof.
    public init(email: String, code: String, request: String? = nil) {
        self.email = email
        self.code = code
        self.request = request
    }
}

/// Logs in.
public struct AccountLogIn: Codable, Hashable, Sendable {
    /// The mail address.
    public var email: String
    /// The password.
    public var password: String

    /// A log-in.
    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}

/// Asks for new tokens.
public struct AccountRefresh: Codable, Hashable, Sendable {
    /// The refresh token, which is used up by this.
    public var refreshToken: String

    /// A request for new tokens.
    public init(refreshToken: String) { self.refreshToken = refreshToken }
}

/// Asks for a mail with a code to set another password.
public struct PasswordReset: Codable, Hashable, Sendable {
    /// The mail address.
    public var email: String

    /// A request for a code.
    public init(email: String) { self.email = email }
}

/// Sets a password with the code from the mail. Logs nobody in.
public struct NewPassword: Codable, Hashable, Sendable {
    /// The mail address.
    public var email: String
    /// The code from the mail.
    public var code: String
    /// The password from now on.
    public var newPassword: String
    /// What came with `AccountNext`, when this app asked for the mail: with it the code has tries of its own,
    /// which nobody else can use up.
    public var request: String?

    /// A new password.
    public init(email: String, code: String, newPassword: String, request: String? = nil) {
        self.email = email
        self.code = code
        self.newPassword = newPassword
        self.request = request
    }
}

/// Sets another password for the account that is logged in.
public struct PasswordChange: Codable, Hashable, Sendable {
    /// The password until now.
    public var oldPassword: String
    /// The password from now on.
    public var newPassword: String

    /// A change of password.
    public init(oldPassword: String, newPassword: String) {
        self.oldPassword = oldPassword
        self.newPassword = newPassword
    }
}
