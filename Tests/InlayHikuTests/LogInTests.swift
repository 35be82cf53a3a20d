import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayHiku

/// The documented meanings of `loginUserWithEmail:password:`, `logoutUser` and the application's token.
@MainActor @Suite(.timeLimit(.minutes(5))) struct LogInTests {
    private let fixture: HikuFixture

    init() throws { fixture = try HikuFixture() }

    private var delegate: RecordingDelegate { fixture.delegate }
    private var creations: Int { fixture.server.requests(InlayPath.deviceAccounts).count }
    private var logIns: Int {
        fixture.server.requests(InlayPath.deviceSessions).count { $0.method == "POST" }
    }

    @Test func `without a known user, an email without a password creates an account and shows no screen`()
        async throws
    {
        let sdk = fixture.sdk()
        sdk.loginUser(withEmail: "new@example.com", password: "")
        await sdk.settled()
        #expect(fixture.server.accounts.map(\.account.email) == ["new@example.com"])
        #expect((creations, logIns) == (1, 0))
        #expect(delegate.calls == [.authenticated(true), .authorized(true)])
        #expect(fixture.presenter.shown.isEmpty)
    }

    @Test func `with a known user, an email without a password logs in and creates no account`() async throws
    {
        let sdk = await fixture.loggedIn()
        sdk.loginUser(withEmail: "new@example.com", password: "")
        await sdk.settled()
        #expect((creations, logIns) == (1, 1))
        #expect(fixture.server.accounts.count == 1)
    }

    @Test func `an email with a password logs in with both, whether or not a user is known`() async throws {
        fixture.server.add("a@example.com", password: "first")
        fixture.server.add("b@example.com", password: "second")
        let sdk = fixture.sdk()
        sdk.loginUser(withEmail: "a@example.com", password: "first")
        sdk.loginUser(withEmail: "b@example.com", password: "second")
        await sdk.settled()
        #expect((creations, logIns) == (0, 2))
        let bodies = fixture.server.requests(InlayPath.deviceSessions).compactMap { request in
            request.body.flatMap { try? JSONDecoder().decode(AccountLogIn.self, from: $0) }
        }
        #expect(
            bodies == [
                AccountLogIn(email: "a@example.com", password: "first"),
                AccountLogIn(email: "b@example.com", password: "second"),
            ])
        #expect(delegate.count(.authenticated(true)) == 2)
    }

    @Test func `a log-in that fails makes no account and is reported once`() async throws {
        let sdk = fixture.sdk()
        sdk.loginUser(withEmail: "unknown@example.com", password: "pw")
        await sdk.settled()
        #expect(delegate.count(.authenticated(false)) == 1 && delegate.count(.authenticated(true)) == 0)
        #expect(creations == 0 && fixture.server.accounts.isEmpty)
    }

    @Test func `an email without a password gives no access to an existing account`() async throws {
        fixture.server.add("old@example.com", password: "right")
        let before = fixture.server.accounts
        let sdk = fixture.sdk()
        sdk.loginUser(withEmail: "old@example.com", password: "")
        await sdk.settled()
        #expect(delegate.count(.authenticated(false)) == 1 && delegate.count(.authenticated(true)) == 0)
        #expect(sdk.getApplicationTokenForUser() == nil && fixture.server.accounts == before)
    }

    @Test(arguments: ["", "abc", "a@"])
    func `an invalid email address is reported as a failure and not sent`(_ email: String) async throws {
        let sdk = fixture.sdk()
        sdk.loginUser(withEmail: email, password: "")
        await sdk.settled()
        #expect(delegate.count(.authenticated(false)) == 1)
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `the creation of an account is reported once, whether it succeeds or the server fails`()
        async throws
    {
        let sdk = fixture.sdk()
        fixture.server.set { $0.failure = 500 }
        sdk.loginUser(withEmail: "new@example.com", password: "")
        await sdk.settled()
        #expect(
            delegate.calls.filter { $0 == .authenticated(true) || $0 == .authenticated(false) } == [
                .authenticated(false)
            ])
        fixture.server.set { $0.failure = nil }
        sdk.loginUser(withEmail: "new@example.com", password: "")
        await sdk.settled()
        #expect(
            delegate.calls.filter { $0 == .authenticated(true) || $0 == .authenticated(false) }
                == [.authenticated(false), .authenticated(true)])
    }

    @Test func `a log-in is reported once, with the right password and with a wrong one`() async throws {
        fixture.server.add("a@example.com", password: "right")
        let sdk = fixture.sdk()
        for password in ["right", "wrong"] { sdk.loginUser(withEmail: "a@example.com", password: password) }
        await sdk.settled()
        #expect(
            delegate.calls.filter { $0 == .authenticated(true) || $0 == .authenticated(false) }
                == [.authenticated(true), .authenticated(false)])
    }

    @Test func `after a log-in the delegate learns whether the app has a token`() async throws {
        fixture.server.add("a@example.com", password: "right")
        let sdk = fixture.sdk()
        sdk.loginUser(withEmail: "a@example.com", password: "right")
        await sdk.settled()
        #expect(delegate.calls == [.authenticated(true), .authorized(true)])
        #expect(delegate.tokens == ["token-of-a@example.com"])
        fixture.server.set { $0.givesTokens = false }
        sdk.loginUser(withEmail: "a@example.com", password: "right")
        await sdk.settled()
        #expect(delegate.calls.suffix(2) == [.authenticated(true), .authorized(false)])
        #expect(delegate.tokens.last == .some(nil))
    }

    @Test func `there is no token before a log-in, after a refusal and after a log-out`() async throws {
        let sdk = fixture.sdk()
        await sdk.settled()
        #expect(sdk.getApplicationTokenForUser() == nil)
        fixture.server.set { $0.givesTokens = false }
        sdk.loginUser(withEmail: "a@example.com", password: "")
        await sdk.settled()
        #expect(sdk.getApplicationTokenForUser() == nil && delegate.count(.authorized(false)) == 1)
        fixture.server.set { $0.givesTokens = true }
        fixture.server.add("b@example.com", password: "right")
        sdk.loginUser(withEmail: "b@example.com", password: "right")
        await sdk.settled()
        #expect(sdk.getApplicationTokenForUser() != nil)
        sdk.logoutUser()
        await sdk.settled()
        #expect(sdk.getApplicationTokenForUser() == nil)
    }

    @Test func `a log-out is reported once, and not when no user was logged in`() async throws {
        let sdk = fixture.sdk()
        sdk.logoutUser()
        await sdk.settled()
        #expect(delegate.calls.isEmpty)
        sdk.loginUser(withEmail: "a@example.com", password: "")
        sdk.logoutUser()
        sdk.logoutUser()
        await sdk.settled()
        #expect(delegate.count(.loggedOut) == 1)
    }

    @Test func `after a log-out and a restart an empty password makes an account again`() async throws {
        let sdk = await fixture.loggedIn()
        sdk.logoutUser()
        await sdk.settled()
        let later = fixture.sdk()
        later.loginUser(withEmail: "other@example.com", password: "")
        await later.settled()
        #expect((creations, logIns) == (2, 0))
        #expect(fixture.server.accounts.map(\.account.email) == ["a@example.com", "other@example.com"])
    }

    @Test func `a user is still known after a restart`() async throws {
        _ = await fixture.loggedIn()
        let later = fixture.sdk()
        later.loginUser(withEmail: "other@example.com", password: "")
        await later.settled()
        #expect((creations, logIns) == (1, 1))
    }

    @Test(arguments: [("app-1", "wrong"), ("wrong", "secret-1"), ("", "secret-1"), ("app-1", "")])
    func `a wrong or missing id or secret authorises nobody`(_ id: String, _ secret: String) async throws {
        let sdk = fixture.sdk(id: id, secret: secret)
        sdk.loginUser(withEmail: "a@example.com", password: "")
        await sdk.settled()
        #expect(delegate.calls == [.authenticated(false), .authorized(false)])
        #expect(fixture.server.accounts.isEmpty)
    }

    @Test func `each callback names the object that it comes from`() async throws {
        let (one, two) = (fixture.sdk(), fixture.sdk(id: "app-2"))
        one.loginUser(withEmail: "a@example.com", password: "")
        await one.settled()
        two.loginUser(withEmail: "b@example.com", password: "")
        await two.settled()
        #expect(
            delegate.calls == [
                .authenticated(true), .authorized(true), .authenticated(false), .authorized(false),
            ])
        let (first, second) = (ObjectIdentifier(one), ObjectIdentifier(two))
        #expect(delegate.senders == [first, first, second, second])
    }
}
