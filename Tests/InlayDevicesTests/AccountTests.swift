import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayDevices

@Suite(.timeLimit(.minutes(5))) struct AccountTests {
    private func body<Value: Decodable>(_ type: Value.Type, _ request: TransportRequest?) throws -> Value {
        try JSONDecoder().decode(type, from: #require(request?.body))
    }

    @Test(arguments: [
        "", "abc", "a@", "@b.c", "a@b", "a b@example.com", "a@exa mple.com", "a@example.com\r\nBcc: x@y.z",
    ])
    func `an invalid mail address is refused before anything is sent`(_ text: String) async throws {
        let fixture = try DevicesFixture()
        let accounts = try await fixture.devices().accounts
        await #expect(throws: AccountError.invalidAddress) { try await accounts.createAccount(email: text) }
        await #expect(throws: AccountError.invalidAddress) {
            try await accounts.logIn(email: text, password: "x")
        }
        await #expect(throws: AccountError.invalidAddress) { try await accounts.resetPassword(email: text) }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `upper case and blanks in an address do not create another account`() async throws {
        let fixture = try DevicesFixture()
        let accounts = try await fixture.devices().accounts
        for email in ["a@example.com", " A@Example.com ", "b@example.com"] {
            _ = try await accounts.createAccount(email: email)
        }
        #expect(fixture.server.accounts.map(\.account.email) == ["a@example.com", "b@example.com"])
    }

    @Test func `a known address is not taken over, and not changed`() async throws {
        let fixture = try DevicesFixture()
        fixture.server.add("old@example.com", password: "the password of old")
        let before = fixture.server.accounts
        let accounts = try await fixture.devices().accounts
        #expect(try await accounts.createAccount(email: "old@example.com") == .proofNeeded)
        #expect(await accounts.current == nil)
        #expect(fixture.server.accounts == before)
    }

    @Test func `every request names application, secret, environment and key`() async throws {
        let fixture = try DevicesFixture()
        let devices = try await fixture.loggedIn()
        _ = try await devices.list()
        for request in fixture.server.requests {
            #expect(request.headers[InlayHeader.application] == "app-1")
            #expect(request.headers[InlayHeader.applicationSecret] == "secret-1")
            #expect(request.headers[InlayHeader.environment] == "env")
            #expect(request.headers[InlayHeader.apiKey] == "key")
        }
        #expect(fixture.server.requests.count == 2)
    }

    @Test(arguments: [("app-1", "wrong"), ("wrong", "secret-1"), ("", "secret-1"), ("app-1", "")])
    func `an application that is unknown, or has no id or secret, is refused`(
        _ id: String, _ secret: String
    ) async throws {
        var fixture = try DevicesFixture()
        fixture.applicationID = id
        fixture.secret = secret
        let devices = try await fixture.devices()
        await #expect(throws: AccountError.applicationRefused) {
            try await devices.accounts.createAccount(email: "a@example.com")
        }
        #expect(fixture.server.accounts.isEmpty)
        await #expect(throws: AccountError.notLoggedIn) { try await devices.startPairing() }
    }

    @Test func `nobody pairs without being logged in`() async throws {
        let fixture = try DevicesFixture()
        let devices = try await fixture.devices()
        await #expect(throws: AccountError.notLoggedIn) { try await devices.startPairing() }
        await #expect(throws: AccountError.notLoggedIn) { try await devices.list() }
        await #expect(throws: AccountError.notLoggedIn) { _ = try await devices.session() }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `a proof is sent with the id of its request`() async throws {
        let fixture = try DevicesFixture()
        fixture.server.set { $0.opensAtOnce = false }
        let accounts = try await fixture.devices().accounts
        #expect(try await accounts.createAccount(email: "a@example.com") == .proofNeeded)
        await #expect(throws: AccountError.codeRefused) {
            try await accounts.prove(email: "a@example.com", code: "WRONG")
        }
        let account = try await accounts.prove(email: "a@example.com", code: ScriptedDevices.code)
        #expect(account.proven)
        #expect(await accounts.current == account)
        let proof = try body(AccountProof.self, fixture.server.requests(InlayPath.deviceAccountProof).last)
        #expect(proof.request == "request-1")
    }

    @Test func `an account that was opened at once is proven by its own log-in`() async throws {
        let fixture = try DevicesFixture()
        let accounts = try await fixture.loggedIn().accounts
        try await accounts.prove(email: "a@example.com", code: ScriptedDevices.code)
        let proof = try #require(fixture.server.requests(InlayPath.deviceAccountProof).first)
        #expect(proof.headers["Authorization"]?.hasPrefix("Bearer ina_") == true)
        #expect(await accounts.current?.proven == true)
    }

    @Test func `a wrong password and an unknown address give the same error and create no account`()
        async throws
    {
        let fixture = try DevicesFixture()
        fixture.server.add("old@example.com", password: "right")
        let accounts = try await fixture.devices().accounts
        for (email, password) in [("old@example.com", "wrong"), ("unknown@example.com", "right")] {
            await #expect(throws: AccountError.refused) {
                try await accounts.logIn(email: email, password: password)
            }
        }
        #expect(fixture.server.requests(InlayPath.deviceAccounts).isEmpty)
        #expect(fixture.server.accounts.count == 1)
    }

    @Test func `a new password is set with the code from the mail and logs nobody in`() async throws {
        let fixture = try DevicesFixture()
        fixture.server.add("old@example.com", password: "forgotten")
        let accounts = try await fixture.devices().accounts
        try await accounts.resetPassword(email: "old@example.com")
        await #expect(throws: AccountError.unfitPassword("account.password-unfit")) {
            try await accounts.setPassword(
                email: "old@example.com", code: ScriptedDevices.code, newPassword: "short")
        }
        try await accounts.setPassword(
            email: "old@example.com", code: ScriptedDevices.code, newPassword: "a whole new sentence")
        #expect(await accounts.current == nil)
        // Each try with the code names the request for the mail.
        for sent in fixture.server.requests(InlayPath.devicePassword) {
            #expect(try body(NewPassword.self, sent).request == "reset-1")
        }
        try await accounts.logIn(email: "old@example.com", password: "a whole new sentence")
        #expect(await accounts.current?.email == "old@example.com")
    }

    @Test func `a log-in survives a restart, in a file that only this user can read`() async throws {
        let fixture = try DevicesFixture()
        _ = try await fixture.loggedIn()
        let later = try await fixture.devices()
        #expect(await later.accounts.current?.email == "a@example.com")
        _ = try await later.list()
        let name = try #require(fixture.folder.names.first { $0.hasPrefix("log-in-") })
        let attributes = try FileManager.default.attributesOfItem(
            atPath: fixture.folder.url.appendingPathComponent(name).path)
        #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0)
    }

    @Test func `a log-out leaves no token behind, and is sent to the server`() async throws {
        let fixture = try DevicesFixture()
        let devices = try await fixture.loggedIn()
        _ = try await devices.session()
        _ = try await devices.accounts.applicationToken()
        #expect(await devices.accounts.logOut())
        #expect(await devices.accounts.current == nil)
        #expect(devices.accounts.lastApplicationToken == nil)
        #expect(fixture.server.requests.last?.url.path == InlayPath.deviceSessionEnd)
        #expect(!fixture.server.isLoggedIn("a@example.com"))
        let kept = String(decoding: try fixture.files, as: UTF8.self)
        #expect(!kept.contains("ina_") && !kept.contains("inr_"))
        #expect(await !devices.accounts.logOut())
        let later = try await fixture.devices()
        #expect(await later.accounts.current == nil)
    }

    @Test func `a log-out everywhere that did not reach the server throws a network error`() async throws {
        let fixture = try DevicesFixture()
        let devices = try await fixture.loggedIn()
        fixture.server.set { $0.isOnline = false }
        await #expect(throws: AccountError.network(.unreachable("by the test"))) {
            try await devices.accounts.logOutEverywhere()
        }
        #expect(await devices.accounts.current == nil)
    }

    @Test func `a token is renewed before it expires, once for concurrent callers`() async throws {
        let fixture = try DevicesFixture()
        let devices = try await fixture.loggedIn()
        let first = try await devices.accounts.accessToken()
        fixture.clock.advance(by: .seconds(1799))
        fixture.server.set { $0.now = fixture.clock.now() }
        fixture.server.hold(InlayPath.deviceSessionRefresh)
        async let one = devices.accounts.accessToken()
        async let two = devices.accounts.accessToken()
        try await fixture.server.untilRequests(InlayPath.deviceSessionRefresh)
        fixture.server.release()
        let tokens = try await [one, two]
        #expect(Set(tokens).count == 1 && tokens.first != first)
        #expect(fixture.server.requests(InlayPath.deviceSessionRefresh).count == 1)
        // The rotated token is the one that is stored.
        let later = try await fixture.devices()
        #expect(try await later.accounts.accessToken() == tokens.first)
    }

    @Test func `a log-out while a renewed log-in is being saved is not undone`() async throws {
        let fixture = try DevicesFixture(), vault = HeldVault()
        var configuration = fixture.configuration(folder: fixture.folder)
        configuration.vault = vault
        let devices = try await Devices(configuration, transport: fixture.server, clock: fixture.clock)
        _ = try await devices.accounts.createAccount(email: "a@example.com")
        fixture.clock.advance(by: .seconds(1799))
        fixture.server.set { $0.now = fixture.clock.now() }
        await vault.hold()
        let renewal = Task { try await devices.accounts.accessToken() }
        try await eventually { await vault.isHeld }
        await devices.accounts.logOut()
        await vault.release()
        await #expect(throws: AccountError.notLoggedIn) { try await renewal.value }
        #expect(await devices.accounts.current == nil)
        #expect(await vault.load() == nil)
    }

    @Test func `a token that the server refused is renewed and the call goes through`() async throws {
        let fixture = try DevicesFixture()
        let devices = try await fixture.loggedIn()
        _ = try await devices.list()
        fixture.server.refuseTokens()
        #expect(try await devices.accounts.applicationToken() == "token-of-a@example.com")
        #expect(try await devices.list().isEmpty)
        fixture.server.refuseTokens()
        #expect(try await devices.list().isEmpty)
        #expect(fixture.server.requests(InlayPath.deviceSessionRefresh).count == 2)
    }

    @Test func `a log-in that the server ended is deleted, and observers are notified`()
        async throws
    {
        let fixture = try DevicesFixture()
        let devices = try await fixture.loggedIn()
        let seen = StreamRecorder(devices.accounts.observe())
        fixture.server.endSessions()
        await #expect(throws: AccountError.notLoggedIn) { try await devices.accounts.applicationToken() }
        try await seen.untilNewest { $0 == nil }
        #expect(await devices.accounts.current == nil)
    }

    @Test func `a network failure during a renewal keeps the log-in`() async throws {
        let fixture = try DevicesFixture()
        let devices = try await fixture.loggedIn()
        fixture.clock.advance(by: .seconds(1799))
        fixture.server.set {
            $0.now = fixture.clock.now(); $0.isOnline = false
        }
        await #expect(throws: AccountError.network(.unreachable("by the test"))) {
            try await devices.accounts.accessToken()
        }
        fixture.server.set { $0.isOnline = true }
        _ = try await devices.accounts.accessToken()
        #expect(await devices.accounts.current != nil)
    }

    @Test func `a revoked application gets no token, and loses the one it had`() async throws {
        let fixture = try DevicesFixture()
        let devices = try await fixture.loggedIn()
        #expect(devices.accounts.lastApplicationToken == nil)
        _ = try await devices.accounts.applicationToken()
        #expect(devices.accounts.lastApplicationToken == "token-of-a@example.com")
        fixture.server.set { $0.givesTokens = false }
        await #expect(throws: AccountError.applicationRefused) {
            try await devices.accounts.applicationToken()
        }
        #expect(devices.accounts.lastApplicationToken == nil)
    }

    @Test func `the session of one account ends when another logs in`() async throws {
        let fixture = try DevicesFixture()
        fixture.server.add("b@example.com", password: "right")
        let devices = try await fixture.loggedIn()
        let first = try await devices.session()
        try await devices.accounts.logIn(email: "b@example.com", password: "right")
        let second = try await devices.session()
        #expect(first !== second)
        #expect(!first.isActive && second.isActive)
    }

    @Test func `devices are listed, renamed, offered and removed`() async throws {
        let fixture = try DevicesFixture()
        let devices = try await fixture.loggedIn()
        fixture.server.setDevices([ScriptedDevices.device])
        #expect(try await devices.list() == [ScriptedDevices.device])
        #expect(try await devices.rename("d1", to: "Hall").name == "Hall")
        try await devices.transfer("d1", to: "b@example.com")
        let offered = try await devices.list()
        #expect(offered.map(\.offeredTo) == ["b@example.com"] && offered[0].state == .transferring)
        try await devices.cancelTransfer("d1")
        #expect(try await devices.list() == [ScriptedDevices.device.named("Hall")])
        await #expect(throws: AccountError.invalidAddress) { try await devices.transfer("d1", to: "b") }
        await #expect(throws: AccountError.unsupportedAddress) {
            try await devices.transfer("d1", to: "b@bücher.example")
        }
        try await devices.remove("d1")
        #expect(try await devices.list().isEmpty)
    }

    @Test func `a secret is in no error and no description`() async throws {
        let fixture = try DevicesFixture()
        fixture.server.set { $0.failure = 500 }
        let accounts = try await fixture.devices().accounts
        do {
            try await accounts.logIn(email: "a@example.com", password: "my secret password")
            Issue.record("let in")
        } catch {
            #expect(!"\(error)".contains("my secret password") && !"\(error)".contains("secret-1"))
        }
        let hidden = Hidden("my secret password")
        #expect("\(hidden)" == "hidden" && String(reflecting: hidden) == "hidden")
        #expect(
            !String(describing: DeviceSetupMachine.Request.prove(email: "a", code: hidden)).contains(
                "secret"))
    }
}

extension Device {
    fileprivate func named(_ name: String) -> Device {
        var device = self
        device.name = name
        return device
    }
}

/// A vault that keeps a log-in in memory. A save after `hold` waits until `release`.
private actor HeldVault: AccountVault {
    private var data: Data?
    private var isHolding = false
    private var held: CheckedContinuation<Void, Never>?

    var isHeld: Bool { held != nil }

    func load() -> Data? { data }

    func save(_ data: Data?) async {
        if isHolding {
            isHolding = false
            await withCheckedContinuation { held = $0 }
        }
        self.data = data
    }

    func hold() { isHolding = true }

    func release() {
        held?.resume()
        held = nil
    }
}
