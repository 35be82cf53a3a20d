public import InlayCore
@_spi(Inlay) public import InlayWire

/// Devices of an app's end users: accounts, pairing by light, and each account's devices.
///
/// ```swift
/// let devices = try await Devices(configuration, transport: URLSessionTransport())
/// let setup = devices.setUp()
/// for await event in setup.events() { … }
/// ```
/// Users have accounts at the server, not in the app: each user who logs in gets an own session, which Cards, Hub,
/// Behaviors and Ads can share.
public final class Devices: Sendable {
    /// The account that is logged in, and the actions that change it.
    public let accounts: DeviceAccounts
    let dependencies: DeviceDependencies
    private let sessions: DeviceSessions

    /// Reads the stored log-in. Sends no request, unless a log-out of an earlier run is still to be sent.
    ///
    /// - Throws: `SessionError` when the configuration is invalid or the folder cannot be used.
    public convenience init(
        _ configuration: DevicesConfiguration, transport: any Transport = URLSessionTransport(),
        clock: any SessionClock = SystemClock()
    ) async throws {
        try await self.init(dependencies: DeviceDependencies(configuration, transport, clock))
    }

    init(dependencies: DeviceDependencies) async throws {
        self.dependencies = dependencies
        accounts = DeviceAccounts(dependencies)
        sessions = DeviceSessions(dependencies, accounts)
        await accounts.restore()
        // Weak, because `sessions` retains `accounts`: a strong reference would be a cycle.
        await accounts.onChange { [weak sessions] account in await sessions?.changed(to: account) }
    }

    /// The session of the account that is logged in: the same object until that account logs out.
    ///
    /// - Throws: `AccountError.notLoggedIn` when no user is logged in; `SessionError` when the folder cannot be used.
    public func session() async throws -> InlaySession { try await sessions.current() }

    /// Returns the devices of the account that is logged in, newest first.
    public func list() async throws(AccountError) -> [Device] {
        try await call(APICall("GET", InlayPath.devices), DeviceList.self).devices.elements
    }

    /// Renames a device and returns it. A name has 1 to 100 characters.
    @discardableResult
    public func rename(_ id: String, to name: String) async throws(AccountError) -> Device {
        let body = try dependencies.body(DeviceChange(name: name))
        return try await call(APICall("PATCH", InlayPath.device(id), body: body), Device.self)
    }

    /// Removes a device from the account; its credential is invalid from then on.
    public func remove(_ id: String) async throws(AccountError) {
        try await send(APICall("DELETE", InlayPath.device(id)))
    }

    /// Offers a device to another account, for 30 days.
    ///
    /// Until a user with that address sets the device up, it belongs to this account and works; from then on its old
    /// credential and this account's pairing tokens are invalid. The response does not reveal whether there is such an
    /// account. A new offer of the same device replaces the previous one.
    public func transfer(_ id: String, to email: String) async throws(AccountError) {
        let body = try dependencies.body(DeviceTransfer(email: try MailAddress.ofAccount(email).text))
        try await send(APICall("POST", InlayPath.deviceTransfer(id), body: body))
    }

    /// Withdraws the offer of a device; does nothing when there is none.
    public func cancelTransfer(_ id: String) async throws(AccountError) {
        try await send(APICall("DELETE", InlayPath.deviceTransfer(id)))
    }

    /// Requests a pairing token. The account's previous token is invalid from then on.
    @_spi(Inlay) public func startPairing(name: String? = nil) async throws(AccountError) -> Pairing {
        let body = try dependencies.body(PairingRequest(name: name))
        return try await call(APICall("POST", InlayPath.devicePairings, body: body), Pairing.self)
    }

    /// Returns the status of a pairing.
    @_spi(Inlay) public func pairing(_ id: String) async throws(AccountError) -> PairingStatus {
        try await call(APICall("GET", InlayPath.devicePairing(id)), PairingStatus.self)
    }

    /// Cancels a pairing and tells the server the reason. A pairing that nobody cancels expires by itself.
    public func cancelPairing(_ id: String, reason: DeviceSetupFailure) async throws(AccountError) {
        let body = try dependencies.body(PairingCancel(reason: reason))
        try await send(APICall("POST", InlayPath.devicePairingCancel(id), body: body))
    }

    /// Returns a new set-up. It does nothing until it is started.
    public func setUp(_ options: DeviceSetup.Options = DeviceSetup.Options()) -> DeviceSetup {
        DeviceSetup(self, options)
    }

    /// Returns a set-up that shows only the tips.
    public func tips(_ options: DeviceSetup.Options = DeviceSetup.Options()) -> DeviceSetup {
        DeviceSetup(self, options, tipsOnly: true)
    }

    /// The server's page for users who forgot their password, to be opened in the phone's browser.
    public var passwordRecoveryPage: String {
        dependencies.address(InlayPath.recoverPassword(application: dependencies.configuration.applicationID))
    }

    /// The server's page for users who forgot which address they used, to be opened in the phone's browser.
    public var usernameRecoveryPage: String {
        dependencies.address(InlayPath.recoverUsername(application: dependencies.configuration.applicationID))
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
        call.headers = dependencies.applicationHeaders
        let session: InlaySession
        do { session = try await sessions.current() } catch let error as AccountError { throw error } catch {
            throw .storage(String(describing: error))
        }
        do { return try await session.api.send(call) } catch { throw AccountError(error) }
    }
}
