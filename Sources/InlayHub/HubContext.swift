import Foundation
import InlayCore

/// The values that the parts of a started hub share.
struct HubContext: Sendable {
    let session: SessionContext
    let configuration: HubConfiguration
    let database: HubDatabase
    let stateObservers: HubStateObservers
    let log: HubLog
    let policies: HubPolicies
    let time: HubTime
    let library: HubLibrary
    /// The folder of the trusted metadata.
    let metadataFolder: URL

    /// Opens the files of an earlier run; creates the folders when there are none.
    init(
        _ configuration: HubConfiguration, session: SessionContext, database: HubDatabase,
        stateObservers: HubStateObservers,
        log: HubLog
    ) throws(HubError) {
        (self.session, self.configuration, self.database) = (session, configuration, database)
        (self.stateObservers, self.log) = (stateObservers, log)
        let source = configuration.source
        policies = try HubPolicies(database, source: source)
        time = try HubTime(session, database: database, source: source, builtAt: configuration.builtAt)
        let folder = HubFolders(session.configuration).content(of: source)
        metadataFolder = folder.appendingPathComponent("trust")
        library = try HubLibrary(
            folder, limits: configuration.limits, stateObservers: stateObservers, log: log, now: time.now)
    }
}
