import Crypto
import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// Log-outs that the server has not confirmed, kept until it has: also after the app's end.
///
/// A session's outbox cannot hold them: its store goes with the log-out, and its calls need the token that is
/// forgotten.
actor PendingLogOuts {
    /// More are not kept; the oldest go first.
    static let maximumCount = 16
    static let retry = RetryRule(first: .seconds(5), maximum: .seconds(900))

    private let parts: DeviceDependencies
    private let client: AccountClient
    private let file: PrivateFile
    /// Ends with this object.
    private let work = SessionWork()
    private var notes: [PendingLogOut] = []
    private var failures = 0
    private var isWaiting = false

    init(_ parts: DeviceDependencies) {
        self.parts = parts
        client = AccountClient(parts: parts)
        file = PrivateFile("log-outs", parts.configuration)
    }

    deinit { work.end() }

    /// Reads what an earlier run left. Sends nothing yet: a log-out that was sent is removed, and only while it
    /// is here does `hold` say that its session must be forgotten.
    func restore() {
        let data = try? file.load()
        notes = data.flatMap { try? JSONDecoder().decode([PendingLogOut].self, from: $0) } ?? []
    }

    /// Whether this session was logged out already: the app died before it forgot it.
    func hold(_ session: AccountSession) -> Bool { notes.contains { $0.isOf(session) } }

    /// Keeps a log-out; it is on disk when this returns, if there is space.
    func add(_ session: AccountSession) {
        guard !hold(session) else { return }
        notes.append(PendingLogOut(session, at: parts.serverClock.now()))
        notes.removeFirst(max(0, notes.count - Self.maximumCount))
        save()
    }

    /// Sends the log-outs now; those that fail are sent again later.
    func publish() async {
        for note in notes {
            guard await isSettled(note) else {
                failures += 1
                return wait()
            }
            notes.removeAll { $0 == note }
            save()
        }
        failures = 0
    }

    /// The same without waiting for it.
    func sendSoon() {
        guard !notes.isEmpty else { return }
        work.start { [weak self] in await self?.publish() }
    }

    private func wait() {
        guard !isWaiting else { return }
        isWaiting = true
        let clock = parts.clock
        let delay = max(.seconds(1), Self.retry.delay(failures: failures, random: .random(in: 0..<1)))
        work.start { [weak self] in
            guard (try? await clock.sleep(for: delay)) != nil else { return }
            await self?.waited()
        }
    }

    private func waited() async {
        isWaiting = false
        await publish()
    }

    /// Whether nothing is left to send: the server knows, or the session has ended by itself.
    private func isSettled(_ note: PendingLogOut) async -> Bool {
        guard parts.serverClock.now() - note.at < PendingLogOut.useful else { return true }
        do throws(AccountError) {
            let body = try parts.body(AccountSessionEnd(refreshTokenHash: note.refreshTokenHash))
            _ = try await client.send("POST", InlayPath.deviceSessionEnd, body: body)
            return true
        } catch {
            return false
        }
    }

    private func save() {
        let data = notes.isEmpty ? nil : try? JSONEncoder().encode(notes)
        // Without space on disk a log-out is sent in this run or never.
        try? file.save(data)
    }
}

/// A log-out that the server has not confirmed.
///
/// Of the session's tokens only this hash is kept: it ends the session and grants no access.
struct PendingLogOut: Codable, Hashable, Sendable {
    /// A session that nobody uses ends by itself after so long.
    static let useful: Duration = .seconds(90 * 24 * 3600)

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
