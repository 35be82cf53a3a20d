import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

extension AccountStore {
    /// The outcome of a request for an account.
    enum Created: Sendable {
        case opened(AccountOpening)
        case next(AccountNext)
    }

    /// Asks for an account. Where the application allows it, a new address gets its session at once; in every
    /// other case a code is mailed, with the same answer and the same work.
    ///
    /// Throws `account.address-invalid` and `account.password-unfit`, both without a look at the accounts.
    func create(_ request: AccountRequest, for application: DeviceApplication) async throws -> Created {
        let address = try Self.address(request.email)
        var hash: String?
        if let password = request.password, !password.isEmpty {
            let checked = try PasswordRules(application, address).checked(password)
            hash = try await passwords.hash(checked: checked)
        }
        do {
            return try await create(address, hash, for: application)
        } catch let error as SQLError where error.kind == .uniqueViolation {
            // Another node made the account in the same moment; now it is known.
            return try await create(address, hash, for: application)
        }
    }

    private func create(
        _ address: MailAddress, _ passwordHash: String?, for application: DeviceApplication
    ) async throws -> Created {
        let moment = now(), requestID = Secret.random(bytes: 16)
        return try await database.write { connection in
            let found = try Self.account(application.environmentID, address, in: connection)
            let code = try MailCode(
                environmentID: application.environmentID, address: address, purpose: .proof, moment: moment,
                connection: connection
            ).make(request: requestID, passwordHash: passwordHash)
            let message = code.map {
                found?.provenAt == nil
                    ? MailMessage.welcome(application.name, code: $0)
                    : .known(application.name, code: $0)
            }
            try MailStore.add(
                message ?? .nothing, to: address.text, for: application, at: moment, in: connection)
            guard found == nil, application.opensAtOnce else { return .next(AccountNext(request: requestID)) }
            return .opened(
                try Self.open(address, application, passwordHash, provenAt: nil, at: moment, in: connection))
        }
    }

    /// Proves an address with the code that was mailed to it, and logs in. Returns the opening, and the accounts
    /// whose sessions may have ended.
    ///
    /// Actions of others with the address before its proof are not the prover's: an unproven account goes on only
    /// for a caller with its session; any other caller gets a new one in its place.
    ///
    /// The caller's network is known from then on.
    func prove(
        _ proof: AccountProof, for application: DeviceApplication, by caller: AccountIdentity?,
        from callerAddress: CallerAddress
    ) async throws -> (opening: AccountOpening, ended: Set<AccountID>) {
        let address = try Self.address(proof.email)
        let moment = now()
        let proven = try await database.write { connection -> (AccountOpening, Set<AccountID>)? in
            let code = MailCode(
                environmentID: application.environmentID, address: address, purpose: .proof, moment: moment,
                connection: connection)
            let found = try Self.account(application.environmentID, address, in: connection)
            var request = proof.request
            // A request of hours ago must not stand in the way of the session that comes with it.
            if let caller, caller.accountID == found?.id, try !code.isOpen(request) {
                request = try code.admit(session: caller.sessionID)
            }
            guard let grant = try code.spend(proof.code, request: request) else { return nil }
            try LogInAttempts(
                environmentID: application.environmentID, address: address, caller: callerAddress
            ).prove(wasProven: found?.provenAt != nil, at: moment, in: connection)
            if let found, found.provenAt != nil || caller?.accountID == found.id {
                try Self.settle(found, at: moment, in: connection)
                return (try Self.logIn(found.id, application, at: moment, in: connection), [found.id])
            }
            if let found { try Self.delete(found, at: moment, in: connection) }
            let opening = try Self.open(
                address, application, grant.passwordHash, provenAt: moment, at: moment, in: connection)
            return (opening, Set([AccountID(opening.account.id), found?.id].compactMap(\.self)))
        }
        guard let proven else { throw Problem.mailCodeRefused }
        return proven
    }

    /// The address of an account was proven by who made it; nothing for one that was proven before.
    private static func settle(
        _ account: EndAccount, at moment: Timestamp, in connection: any SQLConnection
    ) throws {
        guard account.provenAt == nil else { return }
        try connection.execute(
            "UPDATE device_accounts SET proven_at = ? WHERE environment_id = ? AND id = ?",
            [.moment(moment), .id(account.environmentID), .id(account.id)])
        try DeviceStore.welcome(account, at: moment, in: connection)
    }

    /// A new account with its first session.
    private static func open(
        _ address: MailAddress, _ application: DeviceApplication, _ passwordHash: String?,
        provenAt: Timestamp?, at moment: Timestamp, in connection: any SQLConnection
    ) throws -> AccountOpening {
        let account = try insert(
            address, application, passwordHash, provenAt: provenAt, at: moment, in: connection)
        let session = try AccountTokenStore.open(
            account.environmentID, account: account.id, application: application.id, at: moment,
            in: connection)
        return AccountOpening(session: session, account: account.wire)
    }

    /// A new account.
    static func insert(
        _ address: MailAddress, _ application: DeviceApplication, _ passwordHash: String?,
        provenAt: Timestamp?, at moment: Timestamp, in connection: any SQLConnection
    ) throws -> EndAccount {
        let account = EndAccount(
            id: AccountID(Secret.id("acc_")), environmentID: application.environmentID, email: address.text,
            applicationID: application.id, createdAt: moment, provenAt: provenAt, usedAt: moment,
            hasPassword: passwordHash != nil)
        try connection.execute(
            """
            INSERT INTO device_accounts (environment_id, id, email, password_hash, application_id, created_at,
                proven_at, used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .id(account.environmentID), .id(account.id), .text(account.email),
                SQLValue(passwordHash), .id(application.id), .moment(moment), .moment(provenAt),
                .moment(moment),
            ])
        if provenAt != nil { try DeviceStore.welcome(account, at: moment, in: connection) }
        return account
    }

    /// A further session of an account.
    static func logIn(
        _ accountID: AccountID, _ application: DeviceApplication, at moment: Timestamp,
        in connection: any SQLConnection
    ) throws -> AccountOpening {
        guard let account = try account(application.environmentID, accountID, in: connection) else {
            throw Problem.logInRefused
        }
        let session = try AccountTokenStore.open(
            account.environmentID, account: account.id, application: application.id, at: moment,
            in: connection)
        return AccountOpening(session: session, account: account.wire)
    }
}
