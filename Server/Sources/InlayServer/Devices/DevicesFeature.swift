import Hummingbird
import InlaySQL
import InlayWire
import Logging
import ServiceLifecycle

/// Devices on the server: applications, accounts of end users, their mails, their devices, and how these get
/// there.
package struct DevicesFeature: ServerFeature {
    /// The apps that may ask, and their secrets.
    package let applications: ApplicationStore
    /// The accounts of end users.
    package let accounts: AccountStore
    /// Their sessions.
    package let tokens: AccountTokenStore
    /// Mails on their way.
    package let mails: MailStore
    /// Devices and their owners.
    package let devices: DeviceStore
    /// Pairing tokens.
    package let pairings: PairingStore
    /// How set-ups went.
    package let funnel: SetupFunnel
    /// Users whose accounts have ended, or whom an operator erases.
    let ended: EndedUsers
    private let attempts: AttemptWindow
    private let gate: ApplicationGate
    private let news: DeviceNews
    private let services: ServerServices

    /// `rooms` are those that keep something of users.
    init(_ services: ServerServices, rooms: [any UserErasure] = []) {
        let (database, now) = (services.database, services.now)
        applications = ApplicationStore(database: database, now: now)
        accounts = AccountStore(database: database, now: now)
        tokens = services.accountTokens
        mails = MailStore(database: database, now: now)
        devices = DeviceStore(database: database, now: now)
        pairings = PairingStore(database: database, now: now)
        funnel = SetupFunnel(database: database, now: now)
        ended = EndedUsers(database: database, now: now, rooms: rooms, logger: services.logger)
        attempts = AttemptWindow(now: now)
        gate = ApplicationGate(applications: applications, tokens: tokens, limiter: services.limiter)
        news = DeviceNews(live: services.live, devices: devices)
        self.services = services
    }

    package var migrations: [SQLMigration] { DevicesSchema.migrations }

    package func addRoutes(to routes: ServerRoutes) {
        let accountRoutes = AccountRoutes(
            gate: gate, accounts: accounts, tokens: tokens, attempts: attempts, news: news,
            audit: services.audit)
        accountRoutes.add(to: routes.root)
        accountRoutes.add(toBackend: routes.backend)
        DeviceRoutes(
            gate: gate, pairings: pairings, devices: devices, attempts: attempts, news: news,
            publicURL: services.configuration.publicURL
        ).add(to: routes.root)
        addRecovery(to: routes)
        news.serve()
    }

    private func addRecovery(to routes: ServerRoutes) {
        do {
            RecoveryPages(
                applications: applications, accounts: accounts, tokens: tokens, attempts: attempts,
                news: news, pages: try PageLibrary.load(),
                cookies: CookieRules(isSecure: services.configuration.isReachedByHTTPS)
            ).add(to: routes.root)
        } catch {
            // Apps are served without the pages; their operator reads here what to mend.
            services.logger.critical("The recovery pages are missing", metadata: ["error": "\(error)"])
        }
    }

    package func run() async throws {
        if let words = DeviceRoutes.warning(publicURL: services.configuration.publicURL) {
            services.logger.warning("\(words)")
        }
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                // Each goes on until the server stops, which cancels the group.
                group.addTask { await followChanges() }
                group.addTask { await followEnds() }
                group.addTask { await followRevocations() }
                group.addTask { await tidy() }
                // Until the server stops, as the others; not within `tidy`, which would wait for hours.
                group.addTask { await forgetUsers() }
                group.addTask { await MailRounds(self.mails, self.services).run() }
            }
        }
    }

    /// Ends an account's sessions for an operator.
    package func logOutEverywhere(_ environmentID: String, _ accountID: String) async throws {
        guard try await accounts.account(environmentID, accountID) != nil else {
            throw Problem.notFound("account")
        }
        try await tokens.endAll(environmentID, account: accountID)
    }

    /// Removes an account for an operator.
    package func deleteAccount(_ environmentID: String, _ accountID: String) async throws {
        try await accounts.delete(environmentID, accountID)
        try await tokens.ended(environmentID, accountID)
    }

    /// Forgets a user of the app's own tokens for an operator: whatever any room keeps of them.
    ///
    /// Only noted here, in a way that no crash loses; a running server forgets within seconds, and once more ten
    /// minutes later. Throws `not-found`, and `conflict` for the user of an account, who goes with the account.
    package func eraseUser(_ environmentID: String, _ userID: String) async throws {
        guard try await account(ofUser: userID, environmentID) == nil else { throw Problem.userHasAccount }
        guard try await services.users.user(environmentID, userID) != nil else {
            throw Problem.notFound("user")
        }
        let moment = services.now()
        try await services.database.write {
            try EndedUsers.add(environmentID, user: userID, at: moment, in: $0)
        }
    }

    /// The account whose user this is; `nil` for a user of the app's own tokens, and for one whose account is gone.
    package func account(ofUser userID: String, _ environmentID: String) async throws -> EndAccount? {
        let prefix = DeviceAccount.userID(of: "")
        guard userID.hasPrefix(prefix) else { return nil }
        return try await accounts.account(environmentID, String(userID.dropFirst(prefix.count)))
    }

    /// Removes a device for an operator, and tells its owner's apps.
    package func removeDevice(_ environmentID: String, _ deviceID: String) async throws {
        let device = try await devices.remove(environmentID, deviceID, of: nil)
        try await news.tell(environmentID, device.accountID)
    }

    /// Forgets applications and tokens that changed on another node.
    private func followChanges() async {
        for await environmentID in services.database.notifications(ApplicationStore.changes) {
            let which = environmentID.isEmpty ? nil : environmentID
            applications.cache.forget(which)
            tokens.cache.forget(which)
        }
    }

    /// Closes the sockets of accounts whose sessions ended. Phones that are still logged in come back at once.
    private func followEnds() async {
        for await text in services.database.notifications(AccountTokenStore.ends) {
            // News may have been lost: then the sockets end with their tokens, half an hour later at most.
            let parts = text.split(separator: "\n").map(String.init)
            guard parts.count == 2 else { continue }
            services.live.close(environment: parts[0], user: DeviceAccount.userID(of: parts[1]))
        }
    }

    /// Closes the sockets of the users of applications that were revoked. Users who are logged in through another
    /// application too come back at once.
    private func followRevocations() async {
        for await text in services.database.notifications(ApplicationStore.ends) {
            do {
                try await endRevoked(text)
            } catch {
                services.logger.warning(
                    "Sockets of a revoked application end with their tokens, half an hour later at most",
                    metadata: ["error": "\(error)"])
            }
        }
    }

    /// Acts on one message of ``ApplicationStore/ends``. An empty one says that some were lost: then all
    /// applications count that were revoked so late that a token from before may still live.
    func endRevoked(_ text: String) async throws {
        let parts = text.split(separator: "\n").map(String.init)
        let ended =
            parts.count == 2
            ? [(environmentID: parts[0], id: parts[1])]
            : try await applications.revoked(within: AccountTokenStore.accessLife)
        for application in ended {
            // First, so that nobody whose socket closes is let in again by what is kept.
            applications.cache.forget(application.environmentID)
            tokens.cache.forget(application.environmentID)
            try await closeSockets(ofApplication: application.id, application.environmentID)
        }
    }

    private func closeSockets(ofApplication id: String, _ environmentID: String) async throws {
        var page = try await tokens.accountsInUse(environmentID, application: id, after: "")
        while let last = page.last {
            for account in page {
                services.live.close(environment: environmentID, user: DeviceAccount.userID(of: account))
            }
            page = try await tokens.accountsInUse(environmentID, application: id, after: last)
        }
    }

    /// Every few seconds pairings whose time ran out; every ten minutes what has ended.
    private func tidy() async {
        var rounds = 0
        for await _ in Ticks(every: .seconds(5)) {
            await attempt { for owner in try await pairings.expire() { try await news.tell(owner) } }
            if rounds % 120 == 0 { await removeEnded() }
            rounds += 1
        }
    }

    /// Every few seconds users who ended. On its own: with many of them and many events a round takes hours, and
    /// nothing else is to wait for it.
    private func forgetUsers() async {
        for await _ in Ticks(every: .seconds(5)) { await attempt { try await ended.round() } }
    }

    /// One round of tidying. Each store has its turn, also behind one that fails.
    func removeEnded() async {
        await attempt {
            for account in try await accounts.removeUnproven() {
                try await tokens.ended(account.environmentID, account.id)
            }
        }
        await attempt { try await accounts.removeEnded() }
        await attempt { try await tokens.removeEnded() }
        await attempt { try await mails.removeEnded() }
        await attempt { try await devices.endOffers() }
        await attempt { try await pairings.removeEnded() }
    }

    private func attempt(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch is CancellationError {
            // The server stops; what is left is done when it is back.
        } catch {
            services.logger.warning("Tidying failed; tried again later", metadata: ["error": "\(error)"])
        }
    }
}

extension Problem {
    static let userHasAccount = Problem(
        .conflict, status: 409, title: "This user has an account.",
        detail: "Delete the account: its user is erased with it.")
}
