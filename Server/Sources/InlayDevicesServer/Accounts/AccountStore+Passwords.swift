import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

extension AccountStore {
    /// Logs in with address and password.
    ///
    /// Throws `account.log-in-refused` when either is wrong, without saying which, after the same time; 429 during a
    /// wait, for known and unknown addresses alike, except on known networks (decision 70).
    func logIn(
        _ request: AccountLogIn, for application: DeviceApplication,
        from callerAddress: CallerAddress
    ) async throws -> AccountOpening {
        let address = try Self.address(request.email)
        let environmentID = application.environmentID
        // Another log-in may have renewed the hash of the same password meanwhile; then the password is compared again.
        for _ in 0..<2 {
            let kept = try await check(request.password, of: address, environmentID, from: callerAddress)
            let moment = now()
            // The costs of the hash may have grown since the password was set. Only here is the password known.
            let renewed =
                passwords.isOutdated(kept)
                ? try await passwords.hash(checked: PasswordRules.normalised(request.password)) : nil
            let opening = try await database.write { connection -> AccountOpening? in
                guard let account = try Self.account(environmentID, address, in: connection),
                    try Self.replaceHash(kept, by: renewed ?? kept, of: account, in: connection)
                else { return nil }
                try LogInAttempts(environmentID: environmentID, address: address, caller: callerAddress)
                    .succeed(at: moment, in: connection)
                return try Self.logIn(account.id, application, at: moment, in: connection)
            }
            if let opening { return opening }
        }
        throw Problem.logInRefused
    }

    /// Mails a code to set another password, if there is such an account, without revealing whether there is one.
    /// Returns the id of the request, which the caller must send with the code.
    func startReset(_ request: PasswordReset, for application: DeviceApplication) async throws -> String {
        let address = try Self.address(request.email)
        let moment = now(), requestID = Secret.random(bytes: 16)
        _ = try await database.write { connection in
            let found = try Self.account(application.environmentID, address, in: connection)
            let code = try MailCode(
                environmentID: application.environmentID, address: address, purpose: .reset, moment: moment,
                connection: connection
            ).make(request: requestID)
            let message = code.map { MailMessage.reset(application.name, code: $0) }
            let due = found == nil ? nil : message
            try MailStore.add(
                due ?? .nothing, to: address.text, for: application, at: moment, in: connection)
        }
        return requestID
    }

    /// Sets a password with the code from the mail, which proves the address too. Ends every session, and starts none.
    /// Returns the account, and the accounts whose sessions ended. The caller's network is a known one from then on.
    func setPassword(
        _ request: NewPassword, for application: DeviceApplication,
        from callerAddress: CallerAddress
    ) async throws -> (account: EndAccount, ended: Set<AccountID>) {
        let address = try Self.address(request.email)
        let checked = try PasswordRules(application, address).checked(request.newPassword)
        let hash = try await passwords.hash(checked: checked)
        let moment = now()
        let changed = try await database.write { connection -> (EndAccount, Set<AccountID>)? in
            let code = MailCode(
                environmentID: application.environmentID, address: address, purpose: .reset, moment: moment,
                connection: connection)
            guard try code.spend(request.code, request: request.request) != nil,
                let found = try Self.account(application.environmentID, address, in: connection)
            else { return nil }
            var account = found
            if found.provenAt == nil {
                // The creator of the account never proved the address: the user gets a new account without that data.
                try Self.delete(found, at: moment, in: connection)
                account = try Self.insert(
                    address, application, hash, provenAt: moment, at: moment, in: connection)
            }
            try Self.setPasswordHash(hash, account, but: nil, application, at: moment, in: connection)
            try LogInAttempts(
                environmentID: application.environmentID, address: address, caller: callerAddress
            ).succeedWithCode(wasProven: found.provenAt != nil, at: moment, in: connection)
            return (account, [found.id, account.id])
        }
        guard let changed else { throw Problem.mailCodeRefused }
        return changed
    }

    /// Sets another password for a logged-in user; ends the account's other sessions.
    ///
    /// Throws `account.log-in-refused` for a wrong old password, also when it was right until another request changed
    /// it or deleted the account.
    func changePassword(
        _ request: PasswordChange, _ identity: AccountIdentity, for application: DeviceApplication,
        from callerAddress: CallerAddress
    ) async throws {
        guard let account = try await account(identity.environmentID, identity.accountID) else {
            throw Problem.accountSessionEnded
        }
        let address = try Self.address(account.email)
        let checked = try PasswordRules(application, address).checked(request.newPassword)
        let kept = try await check(
            request.oldPassword, of: address, identity.environmentID, from: callerAddress)
        let hash = try await passwords.hash(checked: checked)
        let moment = now()
        _ = try await database.write { connection in
            guard try Self.replaceHash(kept, by: hash, of: account, in: connection) else {
                throw Problem.logInRefused
            }
            try Self.setPasswordHash(
                hash, account, but: identity.sessionID, application, at: moment, in: connection)
            try LogInAttempts(
                environmentID: account.environmentID, address: address, caller: callerAddress
            ).succeed(at: moment, in: connection)
        }
    }

    /// Mails a reminder to the address, if it has an account: for users who forgot which address they used.
    func remind(of email: String, for application: DeviceApplication) async throws {
        let address = try Self.address(email)
        let moment = now()
        _ = try await database.write { connection in
            let found = try Self.account(application.environmentID, address, in: connection)
            let isAllowed =
                try MailCode(
                    environmentID: application.environmentID, address: address, purpose: .username,
                    moment: moment, connection: connection
                ).make() != nil
            try MailStore.add(
                found != nil && isAllowed ? .username(application.name) : .nothing, to: address.text,
                for: application, at: moment, in: connection)
        }
    }

    /// Counts an attempt, then compares the password; returns its stored hash when it is right.
    func check(
        _ typed: String, of address: MailAddress, _ environmentID: EnvironmentID,
        from callerAddress: CallerAddress
    ) async throws -> String {
        let attempts = LogInAttempts(
            environmentID: environmentID, address: address, caller: callerAddress)
        let moment = now()
        switch try await database.write({ try attempts.begin(at: moment, in: $0) }) {
        case .allowed: break
        case .wait(let left): throw Refusal.waiting(left)
        case .locked: throw Problem.passwordLocked
        }
        let kept = try await database.read {
            try $0.row(
                "SELECT password_hash FROM device_accounts WHERE environment_id = ? AND email = ?",
                [.id(environmentID), .text(address.text)]
            )?.optionalText("password_hash")
        }
        let password = PasswordRules.normalised(typed)
        guard
            try await passwords.matches(password, kept, maximumBytes: PasswordRules.maximumBytes),
            let kept
        else { throw Problem.logInRefused }
        return kept
    }

    /// Replaces the stored hash, or stores it again, if it is still the one that was compared. Returns whether it is.
    ///
    /// This locks the account until the transaction ends: another change of its password waits, and then ends the
    /// session that this transaction opens.
    static func replaceHash(
        _ compared: String, by hash: String, of account: EndAccount, in connection: any SQLConnection
    ) throws -> Bool {
        try connection.execute(
            """
            UPDATE device_accounts SET password_hash = ?
            WHERE environment_id = ? AND id = ? AND password_hash = ?
            """, [.text(hash), .id(account.environmentID), .id(account.id), .text(compared)]) == 1
    }

    /// Stores the hash, ends all sessions but one, and mails the user. Without a session to keep, the address counts as
    /// proven.
    private static func setPasswordHash(
        _ hash: String, _ account: EndAccount, but sessionID: SessionID?, _ application: DeviceApplication,
        at moment: Timestamp, in connection: any SQLConnection
    ) throws {
        try connection.execute(
            """
            UPDATE device_accounts SET password_hash = ?, proven_at = COALESCE(proven_at, ?)
            WHERE environment_id = ? AND id = ?
            """,
            [
                .text(hash), sessionID == nil ? .moment(moment) : .null, .id(account.environmentID),
                .id(account.id),
            ])
        try AccountTokenStore.endAll(
            account.environmentID, account: account.id, but: sessionID, in: connection)
        try MailStore.add(
            .changed(application.name), to: account.email, for: application, at: moment, in: connection)
    }
}
