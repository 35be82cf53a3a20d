import Foundation
import InlayCore

/// What the parts of a started hub share.
struct HubParts: Sendable {
    let session: SessionContext
    let configuration: HubConfiguration
    let database: HubDatabase
    let board: HubBoard
    let log: HubLog
    let policies: HubPolicies
    let time: HubTime
    let library: HubLibrary
    /// Where the trusted metadata is kept.
    let metadataFolder: URL

    /// Opens what an earlier run left; makes the folders when there are none.
    init(
        _ configuration: HubConfiguration, session: SessionContext, database: HubDatabase, board: HubBoard,
        log: HubLog
    ) throws(HubError) {
        (self.session, self.configuration, self.database) = (session, configuration, database)
        (self.board, self.log) = (board, log)
        let source = configuration.source
        policies = try HubPolicies(database, source: source)
        time = try HubTime(session, database: database, source: source, builtAt: configuration.builtAt)
        let folder = HubPlace(session.configuration).content(of: source)
        metadataFolder = folder.appendingPathComponent("trust")
        library = try HubLibrary(
            folder, limits: configuration.limits, board: board, log: log, now: time.now)
    }
}
