/// Asks for an account.
@_spi(Inlay) public struct AccountRequest: Codable, Hashable, Sendable {
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
@_spi(Inlay) public struct AccountProof: Codable, Hashable, Sendable {
    /// The mail address.
    public var email: String
    /// The code from the mail.
    public var code: String
    /// The request id from `AccountNext`, if this app requested the account. Only with it does the password that was
    /// sent become the account's password, and the code has attempts of its own. A stranger who requested the same
    /// address does not have it.
    public var request: String?

    /// A proof.
    public init(email: String, code: String, request: String? = nil) {
        self.email = email
        self.code = code
        self.request = request
    }
}

/// Logs in.
@_spi(Inlay) public struct AccountLogIn: Codable, Hashable, Sendable {
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
@_spi(Inlay) public struct AccountRefresh: Codable, Hashable, Sendable {
    /// The refresh token, which is used up by this.
    public var refreshToken: String

    /// A request for new tokens.
    public init(refreshToken: String) { self.refreshToken = refreshToken }
}

/// Asks for a mail with a code to set another password.
@_spi(Inlay) public struct PasswordReset: Codable, Hashable, Sendable {
    /// The mail address.
    public var email: String

    /// A request for a code.
    public init(email: String) { self.email = email }
}

/// Sets a password with the code from the mail. Logs nobody in.
@_spi(Inlay) public struct NewPassword: Codable, Hashable, Sendable {
    /// The mail address.
    public var email: String
    /// The code from the mail.
    public var code: String
    /// The password from now on.
    public var newPassword: String
    /// The request id from `AccountNext`, if this app requested the mail: with it the code has attempts of its own,
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
@_spi(Inlay) public struct PasswordChange: Codable, Hashable, Sendable {
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
