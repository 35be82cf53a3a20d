public import InlayCore
@_spi(Inlay) public import InlayWire

/// Devices of an app's end users: accounts, pairing by light, and each account's devices.
///
/// ```swift
/// let devices = try await Devices(configuration, transport: URLSessionTransport())
/// let setup = devices.setUp()
/// for await event in setup.events() { … }
/// ```
/// Users are accounts of the server, not of the app: each user who logs in gets their own session, which
/// Cards, Hub, Behaviors and Ads can share.
public final class Devices: Sendable {
    /// The account that is logged in, and its changes.
    public let accounts: DeviceAccounts
    let parts: DeviceDependencies
    private let sessions: DeviceSessions

    /// Reads who is logged in. Makes no request, unless the server has not heard of a log-out yet.
    ///
    /// - Throws: `SessionError` when the configuration or the folder cannot work.
    public convenience init(
        _ configuration: DevicesConfiguration, transport: any Transport = URLSessionTransport(),
        clock: any SessionClock = SystemClock()
    ) async throws {
        try await self.init(parts: DeviceDependencies(configuration, transport, clock))
    }

    init(parts: DeviceDependencies) async throws {
        self.parts = parts
        accounts = DeviceAccounts(parts)
        sessions = DeviceSessions(parts, accounts)
        await accounts.restore()
        // Weakly: the accounts are part of the sessions, and both would keep each other.
        await accounts.onChange { [weak sessions] account in await sessions?.changed(to: account) }
    }

    /// The session of the account that is logged in, the same one until it logs out.
    ///
    /// - Throws: `AccountError.notLoggedIn` when nobody is; `SessionError` when the folder cannot be used.
    public func session() async throws -> InlaySession { try await sessions.current() }

    /// The devices of the account that is logged in, newest first.
    public func list() async throws(AccountError) -> [Device] {
        try await call(APICall("GET", InlayPath.devices), DeviceList.self).devices.elements
    }

    /// Gives a device another name, 1 to 100 characters.
    @discardableResult
    public func rename(_ id: String, to name: String) async throws(AccountError) -> Device {
        let body = try parts.body(DeviceChange(name: name))
        return try await call(APICall("PATCH", InlayPath.device(id), body: body), Device.self)
    }

    /// Takes a device out of the account; its credential is dead from then on.
    public func remove(_ id: String) async throws(AccountError) {
        try await send(APICall("DELETE", InlayPath.device(id)))
    }

    /// Offers a device to another account, for 30 days.
    ///
    /// It stays this account's, and works, until a user with that address sets it up; from that moment its
    /// old credential and this account's pairing tokens are invalid. The answer does not reveal whether there is
    /// such an account. Another offer of the same device replaces the last.
    public func transfer(_ id: String, to email: String) async throws(AccountError) {
        let body = try parts.body(DeviceTransfer(email: try MailAddress.ofAccount(email).text))
        try await send(APICall("POST", InlayPath.deviceTransfer(id), body: body))
    }

    /// Takes an offer back; nothing happens when there is none.
    public func cancelTransfer(_ id: String) async throws(AccountError) {
        try await send(APICall("DELETE", InlayPath.deviceTransfer(id)))
    }

    /// Asks for a pairing token. A token that was asked for before is dead from then on.
    @_spi(Inlay) public func startPairing(name: String? = nil) async throws(AccountError) -> Pairing {
        let body = try parts.body(PairingRequest(name: name))
        return try await call(APICall("POST", InlayPath.devicePairings, body: body), Pairing.self)
    }

    /// The state of a pairing.
    @_spi(Inlay) public func pairing(_ id: String) async throws(AccountError) -> PairingStatus {
        try await call(APICall("GET", InlayPath.devicePairing(id)), PairingStatus.self)
    }

    /// Gives a pairing up, and says why. Nothing waits for it: a pairing that nobody ends dies by itself.
    public func cancelPairing(_ id: String, reason: DeviceSetupFailure) async throws(AccountError) {
        let body = try parts.body(PairingCancel(reason: reason))
        try await send(APICall("POST", InlayPath.devicePairingCancel(id), body: body))
    }

    /// A walk through the screens of a set-up; nothing happens before it is started.
    public func setUp(_ options: DeviceSetup.Options = DeviceSetup.Options()) -> DeviceSetup {
        DeviceSetup(self, options)
    }

    /// The tips alone, without a set-up.
    public func tips(_ options: DeviceSetup.Options = DeviceSetup.Options()) -> DeviceSetup {
        DeviceSetup(self, options, tipsOnly: true)
    }

    /// A page for people who forgot their password, to be opened in the phone's browser.
    public var passwordRecoveryPage: String {
        parts.address(InlayPath.recoverPassword(application: parts.configuration.applicationID))
    }

    /// A page for people who forgot which address they used, to be opened in the phone's browser.
    public var usernameRecoveryPage: String {
        parts.address(InlayPath.recoverUsername(application: parts.configuration.applicationID))
    }

    private func call<Value: Decodable>(
        _ call: APICall, _ type: Value.Type
    ) async throws(AccountError) -> Value {
        let answer = try await send(call)
        do { return try answer.decoded(type) } catch { throw AccountError(error) }
    }

    @discardableResult
    private func send(_ call: APICall) async throws(AccountError) -> APIResponse {
        var call = call
        call.headers = parts.applicationHeaders
        let session: InlaySession
        do { session = try await sessions.current() } catch let error as AccountError { throw error } catch {
            throw .storage(String(describing: error))
        }
        do { return try await session.api.send(call) } catch { throw AccountError(error) }
    }
}
