/// The body of a request for an account.
@_spi(Inlay) public struct AccountRequest: Codable, Hashable, Sendable {
    /// The mail address.
    public var email: String
    /// The first password. Without one, the user logs in with mailed codes until a password is set.
    public var password: String?

    /// A request for an account.
    public init(email: String, password: String? = nil) {
        self.email = email
        self.password = password
    }
}

/// The proof of an address with the code that was mailed to it; it logs in.
@_spi(Inlay) public struct AccountProof: Codable, Hashable, Sendable {
    /// The mail address.
    public var email: String
    /// The code from the mail.
    public var code: String
    /// The request id from `AccountNext`, if this app requested the account. Only with it does the password that was
    /// sent become the account's password, and the code has attempts of its own. A stranger who requested the same
    /// address does not have it.
    public var request: String?

    /// Creates a proof.
    public init(email: String, code: String, request: String? = nil) {
        self.email = email
        self.code = code
        self.request = request
    }
}

/// The body of a log-in.
@_spi(Inlay) public struct AccountLogIn: Codable, Hashable, Sendable {
    /// The mail address.
    public var email: String
    /// The password.
    public var password: String

    /// Creates a log-in.
    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}

/// The body of a request for new tokens.
@_spi(Inlay) public struct AccountRefresh: Codable, Hashable, Sendable {
    /// The refresh token, which this request uses up.
    public var refreshToken: String

    /// A request for new tokens.
    public init(refreshToken: String) { self.refreshToken = refreshToken }
}

/// The body of a request for a mail with a code to set another password.
@_spi(Inlay) public struct PasswordReset: Codable, Hashable, Sendable {
    /// The mail address.
    public var email: String

    /// A request for a code.
    public init(email: String) { self.email = email }
}

/// A new password with the code from the mail. It logs nobody in.
@_spi(Inlay) public struct NewPassword: Codable, Hashable, Sendable {
    /// The mail address.
    public var email: String
    /// The code from the mail.
    public var code: String
    /// The new password.
    public var newPassword: String
    /// The request id from `AccountNext`, if this app requested the mail. With it, the code has attempts of its own,
    /// which nobody else can use up.
    public var request: String?

    /// Creates a request.
    public init(email: String, code: String, newPassword: String, request: String? = nil) {
        self.email = email
        self.code = code
        self.newPassword = newPassword
        self.request = request
    }
}

/// A change of the password of the account that is logged in.
@_spi(Inlay) public struct PasswordChange: Codable, Hashable, Sendable {
    /// The current password.
    public var oldPassword: String
    /// The new password.
    public var newPassword: String

    /// Creates a change.
    public init(oldPassword: String, newPassword: String) {
        self.oldPassword = oldPassword
        self.newPassword = newPassword
    }
}
