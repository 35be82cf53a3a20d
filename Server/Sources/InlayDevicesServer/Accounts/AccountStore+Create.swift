import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

extension AccountStore {
    /// The outcome of a request for an account.
    enum Created: Sendable {
        case opened(AccountOpening)
        case next(AccountNext)
    }

    /// Creates an account, or mails a code to its address. Where the application allows it, a new address gets its
    /// session at once; in every other case a code is mailed, with the same response and the same work.
    ///
    /// Throws `account.address-invalid` and `account.password-unfit`, both before the accounts are read.
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
            // Another node created the account at the same time; now it is found.
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
    /// The user who created an unproven account may be another one than the user who proves the address: a caller with
    /// its session keeps the account; any other caller gets a new account in its place.
    ///
    /// The caller's network is a known one from then on.
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
            // When the request has expired, the caller's session takes its place.
            if let caller, caller.accountID == found?.id, try !code.isOpen(request) {
                request = try code.admit(session: caller.sessionID)
            }
            guard let grant = try code.spend(proof.code, request: request) else { return nil }
            try LogInAttempts(
                environmentID: application.environmentID, address: address, caller: callerAddress
            ).succeedWithCode(wasProven: found?.provenAt != nil, at: moment, in: connection)
            if let found, found.provenAt != nil || caller?.accountID == found.id {
                try Self.markProven(found, at: moment, in: connection)
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

    /// Marks an account as proven, for the user who created it; does nothing when it was proven before.
    private static func markProven(
        _ account: EndAccount, at moment: Timestamp, in connection: any SQLConnection
    ) throws {
        guard account.provenAt == nil else { return }
        try connection.execute(
            "UPDATE device_accounts SET proven_at = ? WHERE environment_id = ? AND id = ?",
            [.moment(moment), .id(account.environmentID), .id(account.id)])
        try DeviceStore.activateHeldDevices(of: account, at: moment, in: connection)
    }

    /// Creates an account with its first session.
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

    /// Inserts an account.
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
        if provenAt != nil { try DeviceStore.activateHeldDevices(of: account, at: moment, in: connection) }
        return account
    }

    /// Opens another session of an account.
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
