import Crypto
import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// Log-outs that the server has not confirmed yet. They are stored, and survive a restart of the app.
///
/// A session's outbox cannot hold them: its store is deleted at log-out, and its requests need the token that is
/// removed.
actor PendingLogOuts {
    /// The maximum number of stored log-outs; beyond it the oldest are dropped.
    static let maximumCount = 16
    static let retry = RetryRule(first: .seconds(5), maximum: .seconds(900))

    private let dependencies: DeviceDependencies
    private let client: AccountClient
    private let file: PrivateFile
    /// Ended when this object is deallocated.
    private let work = SessionWork()
    private var pendingLogOuts: [PendingLogOut] = []
    private var failures = 0
    private var isRetryScheduled = false

    init(_ dependencies: DeviceDependencies) {
        self.dependencies = dependencies
        client = AccountClient(dependencies: dependencies)
        file = PrivateFile("log-outs", dependencies.configuration)
    }

    deinit { work.end() }

    /// Reads the log-outs of earlier runs. Sends nothing yet: a confirmed log-out is removed, and the caller must ask
    /// `contains` about the stored session before that.
    func restore() {
        let data = try? file.load()
        pendingLogOuts = data.flatMap { try? JSONDecoder().decode([PendingLogOut].self, from: $0) } ?? []
    }

    /// Whether this session was logged out already. Then the app ended before it removed the log-in.
    func contains(_ session: AccountSession) -> Bool { pendingLogOuts.contains { $0.isOf(session) } }

    /// Adds a log-out and writes it to disk; with a full disk it is only in memory.
    func add(_ session: AccountSession) {
        guard !contains(session) else { return }
        pendingLogOuts.append(PendingLogOut(session, at: dependencies.serverClock.now()))
        pendingLogOuts.removeFirst(max(0, pendingLogOuts.count - Self.maximumCount))
        save()
    }

    /// Sends the log-outs now; those that fail are sent again later.
    func send() async {
        for logOut in pendingLogOuts {
            guard await isSettled(logOut) else {
                failures += 1
                return scheduleRetry()
            }
            pendingLogOuts.removeAll { $0 == logOut }
            save()
        }
        failures = 0
    }

    /// Starts `send()` and does not wait for it.
    func sendSoon() {
        guard !pendingLogOuts.isEmpty else { return }
        work.start { [weak self] in await self?.send() }
    }

    private func scheduleRetry() {
        guard !isRetryScheduled else { return }
        isRetryScheduled = true
        let clock = dependencies.clock
        let delay = max(.seconds(1), Self.retry.delay(failures: failures, random: .random(in: 0..<1)))
        work.start { [weak self] in
            guard (try? await clock.sleep(for: delay)) != nil else { return }
            await self?.retryNow()
        }
    }

    private func retryNow() async {
        isRetryScheduled = false
        await send()
    }

    /// Whether nothing is left to send: the server has confirmed the log-out, or the session has expired by itself.
    private func isSettled(_ logOut: PendingLogOut) async -> Bool {
        guard dependencies.serverClock.now() - logOut.at < PendingLogOut.maximumSessionIdleTime else {
            return true
        }
        do throws(AccountError) {
            let body = try dependencies.body(AccountSessionEnd(refreshTokenHash: logOut.refreshTokenHash))
            _ = try await client.send("POST", InlayPath.deviceSessionEnd, body: body)
            return true
        } catch {
            return false
        }
    }

    private func save() {
        let data = pendingLogOuts.isEmpty ? nil : try? JSONEncoder().encode(pendingLogOuts)
        // When the disk is full, the log-out is sent in this run or never.
        try? file.save(data)
    }
}

/// A log-out that the server has not confirmed.
///
/// Of the session's tokens only the hash of one is stored: it ends the session and grants no access.
struct PendingLogOut: Codable, Hashable, Sendable {
    /// The server ends an unused session after this time, so an older log-out is obsolete.
    static let maximumSessionIdleTime: Duration = .seconds(90 * 24 * 3600)

    let refreshTokenHash: String
    let at: Timestamp

    init(_ session: AccountSession, at moment: Timestamp) {
        refreshTokenHash = Self.hash(session)
        at = moment
    }

    func isOf(_ session: AccountSession) -> Bool { refreshTokenHash == Self.hash(session) }

    private static func hash(_ session: AccountSession) -> String {
        SHA256.hash(data: Data(session.refreshToken.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
