import InlayCore

/// The hub of one session, started or not.
final class HubEngine: Sendable {
    let session: SessionContext
    let users: HubUsers
    let stateObservers = HubStateObservers()
    let log = HubLog()
    let settings = Locked(HubSettings())
    private let database: HubDatabase
    private let started = Locked<HubSource?>(nil)

    init(_ session: SessionContext) {
        self.session = session
        let (events, clock, log) = (session.events, session.serverClock, session.log)
        database = HubDatabase(HubFolders(session.configuration).database) { incident in
            events.publish(incident, at: clock.now(), log: log)
        }
        users = HubUsers(database)
        let stateObservers = stateObservers
        session.onLogOut { stateObservers.finish() }
        session.onRelease { stateObservers.finish() }
    }

    /// Starts the hub; a second call changes nothing.
    func start(_ configuration: HubConfiguration) throws(HubError) {
        try configuration.validate()
        guard session.isActive else { throw .loggedOut }
        // Created under the lock: a second context would remove the files of the download that is under way.
        let source = try started.withLock { started in
            Result { () throws(HubError) -> HubSource? in
                guard started == nil else { return nil }
                let context = try HubContext(
                    configuration, session: session, database: database, stateObservers: stateObservers,
                    log: log)
                let source = HubSource(context, users: users, settings: settings)
                started = source
                return source
            }
        }.get()
        guard let source else { return }
        settings.withLock { $0 = configuration.settings }
        source.start()
    }

    /// The started hub.
    var source: HubSource {
        get throws(HubError) {
            guard let source = started.withLock({ $0 }) else { throw .notStarted }
            return source
        }
    }
}
