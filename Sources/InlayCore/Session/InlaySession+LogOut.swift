import Foundation
@_spi(Inlay) import InlayWire

extension InlaySession {
    /// Ends the session: sends what is pending, stops all work, deletes the user's data.
    ///
    /// Afterwards everything throws `loggedOut` and every stream has ended. A second call does nothing.
    ///
    /// Card actions and analytics of an earlier run are sent in any case. Items of other features are sent only when
    /// the app uses these features in this run too: access `session.behaviors` and `session.ads` at every start.
    ///
    /// - Throws: `LogOutError` when something pending could not be sent. The data are deleted all the
    ///   same, and what was not sent is lost.
    public func logOut() async throws(LogOutError) {
        guard state.advance(to: .loggingOut) else { return }
        // In a task of its own, awaited here: a caller that is cancelled must not leave data behind.
        if let failure = await SessionWork().start({ await self.end() }).value { throw failure }
    }

    private func end() async -> LogOutError? {
        log.operation("log out")
        // A feature that was first used a moment ago may still be adding its lane to the outbox.
        await work.prepared()
        await context.endings.runBeforeLogOut()
        let failure = await sendPending()
        await context.endings.runOnLogOut()
        _ = state.advance(to: .ended)
        await outbox.end()
        await live.end()
        await tokens.end()
        work.end()
        await eraseUser()
        log.operation("logged out")
        events.finish()
        return failure
    }

    private func sendPending() async -> LogOutError? {
        var lost: (any Error)?
        do {
            // No user was known in this run or left by an earlier one: there is nothing to send, and no reason to ask
            // the app for a token.
            guard try await device.lastUser() != nil else { return nil }
        } catch {
            // An earlier run may have left items. The app's token names their user, so that they are sent and deleted.
            lost = error
        }
        do {
            if let lane = try await outbox.registerAbandonedLanes() { lost = OutboxError.unknownLane(lane) }
        } catch {
            lost = error
        }
        guard case .stopped(let error) = await outbox.flushAll() else { return lost.map { .data($0) } }
        if let api = error as? APIError, case .network = api.kind { return .network(error) }
        return error is OutboxRetryDelay ? .network(error) : .data(error)
    }

    private func eraseUser() async {
        let stem = try? await device.lastUser()
        await store.erase(at: stem.map { device.userFile($0) })
        await device.setLastUser(nil)
        await device.store.close()
    }
}

/// The error of a log-out that could not send everything. The user's data are deleted all the same.
public enum LogOutError: Error, Sendable {
    /// The server could not be reached; holds the cause.
    case network(any Error)
    /// The server refused items or sent an unreadable response, there was no token, the store could not be read, or an
    /// earlier run left items that only a feature can send that this run never used (`OutboxError.unknownLane`); holds
    /// the cause.
    case data(any Error)

    /// The underlying error.
    public var underlying: any Error {
        switch self {
        case .network(let error), .data(let error): error
        }
    }
}
