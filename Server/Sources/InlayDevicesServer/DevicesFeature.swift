import Hummingbird
package import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench
import Logging
import ServiceLifecycle

/// Devices on the server: applications, accounts of end users, mails to them, their devices and the pairing of devices.
package struct DevicesFeature: ServerFeature {
    /// The apps that may send requests, and their secrets.
    package let applications: ApplicationStore
    /// The accounts of end users.
    package let accounts: AccountStore
    /// The sessions of accounts and their tokens.
    package let tokens: AccountTokenStore
    /// Mails to end users.
    package let mails: MailStore
    /// Devices and their owners.
    package let devices: DeviceStore
    /// Pairing tokens.
    package let pairings: PairingStore
    /// The results of set-ups.
    package let funnel: SetupFunnel
    /// Users whose accounts have ended, or that an operator erases.
    let erasureJobs: UserErasureJobs
    private let attempts: CallerLimiter
    private let gate: ApplicationGate
    private let notifier: DeviceChangeNotifier
    let services: ServerServices

    /// Creates the feature. `tokens` also authenticate requests of other features; `erasing` are the features that
    /// store data of users.
    package init(
        _ services: ServerServices, tokens: AccountTokenStore, erasing features: [any UserErasure] = []
    ) {
        let (database, now) = (services.database, services.now)
        applications = ApplicationStore(database: database, now: now)
        accounts = AccountStore(database: database, now: now, passwords: services.passwords)
        self.tokens = tokens
        mails = MailStore(database: database, now: now)
        devices = DeviceStore(database: database, now: now)
        pairings = PairingStore(database: database, now: now)
        funnel = SetupFunnel(database: database, now: now)
        erasureJobs = UserErasureJobs(now: now, features: features)
        attempts = CallerLimiter(now: now)
        gate = ApplicationGate(applications: applications, tokens: tokens, limiter: services.limiter)
        notifier = DeviceChangeNotifier(live: services.live, devices: devices)
        self.services = services
    }

    package var migrations: [SQLMigration] { DevicesSchema.migrations }

    package var jobs: [any JobHandler] {
        let client = services.configuration.mail.map { SMTPClient($0) }
        return [
            erasureJobs, MailJobs(mails: mails, client: client, logger: services.logger),
            PairingExpiry(pairings: pairings, notifier: notifier),
        ]
    }

    package var periodicTasks: [PeriodicTask] {
        [
            PeriodicTask("devices.unproven-accounts", every: .seconds(600)) {
                for account in try await accounts.removeUnproven() {
                    try await tokens.ended(account.environmentID, account.id)
                }
            },
            PeriodicTask("devices.accounts", every: .seconds(600)) { try await accounts.purgeExpired() },
            PeriodicTask("devices.tokens", every: .seconds(600)) { try await tokens.purgeExpired() },
            PeriodicTask("devices.mails", every: .seconds(600)) { try await mails.purgeExpired() },
            PeriodicTask("devices.offers", every: .seconds(600)) { try await devices.endOffers() },
            PeriodicTask("devices.old-pairings", every: .seconds(600)) { try await pairings.purgeExpired() },
        ]
    }

    package func addRoutes(to routes: ServerRoutes) {
        let accountRoutes = AccountRoutes(
            gate: gate, accounts: accounts, tokens: tokens, attempts: attempts, notifier: notifier,
            audit: services.audit)
        accountRoutes.add(to: routes.root)
        accountRoutes.add(toBackend: routes.backend)
        DeviceRoutes(
            gate: gate, pairings: pairings, devices: devices, attempts: attempts, notifier: notifier,
            publicURL: services.configuration.publicURL
        ).add(to: routes.root)
        addRecovery(to: routes)
        notifier.serve()
    }

    private func addRecovery(to routes: ServerRoutes) {
        do {
            RecoveryPages(
                applications: applications, accounts: accounts, tokens: tokens, attempts: attempts,
                notifier: notifier, pages: try PageLibrary.load([Self.folder]),
                assets: AssetFiles(folders: [Self.folder]),
                cookies: CookieRules(isSecure: services.configuration.isReachedByHTTPS)
            ).add(to: routes.root)
        } catch {
            // Apps are served without the pages; the log tells the operator what to repair.
            services.logger.critical("The recovery pages are missing", metadata: ["error": "\(error)"])
        }
    }

    package func run() async throws {
        if let words = DeviceRoutes.warning(publicURL: services.configuration.publicURL) {
            services.logger.warning("\(words)")
        }
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                // Each runs until the server stops, which cancels the group.
                group.addTask { await followChanges() }
                group.addTask { await followEnds() }
                group.addTask { await followRevocations() }
            }
        }
        // The notifications end when the database closes; the server runs until it is stopped.
        try await gracefulShutdown()
    }

    /// Ends an account's sessions for an operator.
    package func logOutEverywhere(_ environmentID: EnvironmentID, _ accountID: AccountID) async throws {
        guard try await accounts.account(environmentID, accountID) != nil else {
            throw Problem.notFound("account")
        }
        try await tokens.endAll(environmentID, account: accountID)
    }

    /// Removes an account for an operator.
    package func deleteAccount(_ environmentID: EnvironmentID, _ accountID: AccountID) async throws {
        try await accounts.delete(environmentID, accountID)
        try await tokens.ended(environmentID, accountID)
    }

    /// Erases a user of the app's own tokens for an operator, with all data of all features.
    ///
    /// Only enqueues the erasure, which no crash loses; a running server erases within seconds, and once more ten
    /// minutes later. Throws `not-found`, and `conflict` for the user of an account: delete the account instead.
    package func eraseUser(_ environmentID: EnvironmentID, _ userID: UserID) async throws {
        guard try await account(ofUser: userID, environmentID) == nil else { throw Problem.userHasAccount }
        guard try await services.users.user(environmentID, userID) != nil else {
            throw Problem.notFound("user")
        }
        let moment = services.now()
        try await services.database.write {
            try UserErasureJobs.add(environmentID, user: userID, at: moment, in: $0)
        }
        services.jobs.wake()
    }

    /// Returns the account of a user; `nil` for a user of the app's own tokens, and for one whose account was deleted.
    package func account(ofUser userID: UserID, _ environmentID: EnvironmentID) async throws -> EndAccount? {
        guard let accountID = userID.accountID else { return nil }
        return try await accounts.account(environmentID, accountID)
    }

    /// Removes a device for an operator, and notifies its owner's apps.
    package func removeDevice(_ environmentID: EnvironmentID, _ deviceID: DeviceID) async throws {
        let device = try await devices.remove(environmentID, deviceID, of: nil)
        try await notifier.notify(environmentID, device.accountID)
    }

    /// Forgets applications and tokens that changed on another node.
    private func followChanges() async {
        for await payload in services.database.notifications(ApplicationStore.changeChannel) {
            let which = EnvironmentID(notification: payload)
            applications.cache.forget(which)
            tokens.cache.forget(which)
        }
    }

    /// Closes the sockets of accounts whose sessions ended. Devices that are still logged in reconnect at once.
    private func followEnds() async {
        for await text in services.database.notifications(AccountTokenStore.sessionEndChannel) {
            // When notifications were lost, sockets end with their tokens, at most half an hour later.
            let parts = text.split(separator: "\n").map(String.init)
            guard parts.count == 2 else { continue }
            services.live.close(
                environment: EnvironmentID(verified: parts[0]),
                user: UserID(account: AccountID(verified: parts[1])))
        }
    }

    /// Closes the sockets of the users of applications that were revoked. Users who are also logged in through another
    /// application reconnect at once.
    private func followRevocations() async {
        for await text in services.database.notifications(ApplicationStore.revocationChannel) {
            do {
                try await endRevoked(text)
            } catch {
                services.logger.warning(
                    "Sockets of a revoked application end with their tokens, half an hour later at most",
                    metadata: ["error": "\(error)"])
            }
        }
    }

    /// Handles one message of ``ApplicationStore/revocationChannel``. An empty one means that messages were lost: it
    /// stands for all applications that were revoked so lately that a token from before may still be valid.
    func endRevoked(_ text: String) async throws {
        let parts = text.split(separator: "\n").map(String.init)
        let ended =
            parts.count == 2
            ? [(environmentID: EnvironmentID(verified: parts[0]), id: ApplicationID(parts[1]))]
            : try await applications.revoked(within: AccountTokenStore.accessTokenLifetime)
        for application in ended {
            // Before the sockets close, so that the caches let no user reconnect.
            applications.cache.forget(application.environmentID)
            tokens.cache.forget(application.environmentID)
            try await closeSockets(ofApplication: application.id, application.environmentID)
        }
    }

    private func closeSockets(ofApplication id: ApplicationID, _ environmentID: EnvironmentID) async throws {
        var page = try await tokens.accountsInUse(environmentID, application: id, after: nil)
        while let last = page.last {
            for account in page {
                services.live.close(environment: environmentID, user: UserID(account: account))
            }
            page = try await tokens.accountsInUse(environmentID, application: id, after: last)
        }
    }
}

extension Problem {
    static let userHasAccount = Problem(
        .conflict, status: 409, title: "This user has an account.",
        detail: "Delete the account: its user is erased with it.")
}
