import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The deletion of an account, by its user or by an operator.
extension AccountStore {
    /// Mails a code with which a logged-in user can delete the account: for an account without a password, and for a
    /// user who forgot it.
    func startDeletion(_ identity: AccountIdentity, for application: DeviceApplication) async throws {
        let moment = now()
        _ = try await database.write { connection in
            let account = try Self.account(identity, in: connection)
            let code = try Self.deletionCode(account, at: moment, in: connection)
                .make(request: MailCode.request(session: identity.sessionID))
            let message = code.map { MailMessage.deletion(application.name, code: $0) }
            try MailStore.add(
                message ?? .nothing, to: account.email, for: application, at: moment, in: connection)
        }
    }

    /// Deletes the account of a logged-in user after a check of its password, or of a code from a mail.
    ///
    /// Throws `account.log-in-refused`, `account.code-refused`, and 429 as for a log-in.
    func delete(
        _ request: AccountDeletion, _ identity: AccountIdentity, for application: DeviceApplication,
        from callerAddress: CallerAddress
    ) async throws {
        var kept: String?
        if request.code == nil {
            guard let password = request.password, !password.isEmpty else {
                throw Problem.invalidValue(
                    "password", "Send the account's password, or a code from its mail.")
            }
            guard let account = try await account(identity.environmentID, identity.accountID) else {
                throw Problem.accountSessionEnded
            }
            kept = try await check(
                password, of: try Self.address(account.email), account.environmentID,
                from: callerAddress)
        }
        let moment = now()
        let isDeleted = try await database.write { [kept] connection -> Bool in
            let account = try Self.account(identity, in: connection)
            if let kept, try !Self.replaceHash(kept, by: kept, of: account, in: connection) {
                throw Problem.logInRefused
            }
            if let typed = request.code {
                let code = try Self.deletionCode(account, at: moment, in: connection)
                // An error here would roll back the count of the try.
                let request = try code.admit(session: identity.sessionID)
                guard try code.spend(typed, request: request) != nil else { return false }
            }
            try Self.erase(account, at: moment, in: connection)
            try MailStore.add(
                .deleted(application.name), to: account.email, for: application, at: moment, in: connection)
            return true
        }
        guard isDeleted else { throw Problem.mailCodeRefused }
    }

    /// Removes an account and all rows with its address: mails, codes, counts of wrong passwords.
    static func erase(
        _ account: EndAccount, at moment: Timestamp, in connection: any SQLConnection
    ) throws {
        try delete(account, at: moment, in: connection)
        try MailStore.erase(account.environmentID, to: account.email, in: connection)
        try MailCode.erase(account.environmentID, account.email, in: connection)
        try forgetAttempts(account, in: connection)
    }

    /// Removes the counts of wrong passwords and the known networks of an account's address.
    static func forgetAttempts(_ account: EndAccount, in connection: any SQLConnection) throws {
        guard let address = MailAddress(account.email) else { return }
        try LogInAttempts(environmentID: account.environmentID, address: address, caller: .local)
            .erase(in: connection)
    }

    private static func account(
        _ identity: AccountIdentity, in connection: any SQLConnection
    ) throws -> EndAccount {
        guard let account = try account(identity.environmentID, identity.accountID, in: connection) else {
            throw Problem.accountSessionEnded
        }
        return account
    }

    private static func deletionCode(
        _ account: EndAccount, at moment: Timestamp, in connection: any SQLConnection
    ) throws -> MailCode {
        MailCode(
            environmentID: account.environmentID, address: try address(account.email), purpose: .deletion,
            moment: moment, connection: connection)
    }
}
