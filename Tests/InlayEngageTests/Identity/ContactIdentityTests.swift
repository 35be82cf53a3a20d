import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
@testable import InlayXMLAPI
import Testing

@testable import InlayBehaviors
@_spi(Inlay) @testable import InlayCore

@Suite struct ContactIdentityTests {
    private static let customerID = [XMLAPIRequest.Field("Customer Id", "123")]
    private static let mobileUserID = "Mobile User Id"
    // Keeps the folders until the test ends: a folder is removed with its last reference.
    private let folders = Locked<[TemporaryFolder]>([])

    /// Starts a session that stores in `folder` and whose XMLAPI server is `contacts`.
    private func start(
        _ contacts: ContactServer, in folder: TemporaryFolder,
        settings: [String: [String: JSONValue]] = [:]
    ) async throws -> InlaySession {
        folders.withLock { $0.append(folder) }
        let server = ScriptedTransport()
        server.always(InlayPath.xmlAPI, contacts.answer)
        let configuration = SessionConfiguration(
            environmentID: "env", apiKey: "key",
            baseURL: try #require(URL(string: "https://identity.test")), folder: folder.url)
        let session = try await InlaySession(
            configuration: configuration, transport: server,
            clock: ManualClock(at: Timestamp(microseconds: 1_400_000_000_000_000)), random: { 0.5 }
        ) { TestToken.unsigned(expires: nil) }
        var behaviors = BehaviorsConfiguration()
        let table = SettingsTable(["General": ["databaseListId": "45654"]]).merging(SettingsTable(settings))
        behaviors.settings = BehaviorSettings(table)
        session.startBehaviors(behaviors)
        return session
    }

    @Test func `setUp creates one contact with the app's new id, and a second call sends nothing`()
        async throws
    {
        let (contacts, folder) = (ContactServer(), try TemporaryFolder())
        let session = try await start(contacts, in: folder)
        let identity = try await session.contactIdentities.setUp()
        #expect(!identity.primaryUserID.isEmpty)
        #expect(contacts.contacts == [identity.recipientID: [Self.mobileUserID: identity.primaryUserID]])
        let requests = contacts.state.withLock { $0.requests }
        #expect(try await session.contactIdentities.setUp() == identity)
        #expect(contacts.state.withLock { $0.requests } == requests)
        #expect(session.behaviors.identity == identity)
    }

    @Test func `setUp fails and creates no contact when anonymous tracking is disabled`() async throws {
        let contacts = ContactServer()
        let session = try await start(
            contacts, in: try TemporaryFolder(),
            settings: ["Recipient": ["enableAutoAnonymousTracking": false]])
        await #expect(throws: ContactIdentities.Failure.self) { try await session.contactIdentities.setUp() }
        #expect(contacts.contacts.isEmpty)
    }

    @Test func `setUp writes the app's id to a contact that has none`() async throws {
        let contacts = ContactServer(["5": [:]])
        let session = try await start(contacts, in: try TemporaryFolder())
        try await session.behaviors.setIdentity(BehaviorIdentity(recipientID: "5"))
        let identity = try await session.contactIdentities.setUp()
        #expect(identity.recipientID == "5")
        #expect(contacts.contacts == ["5": [Self.mobileUserID: identity.primaryUserID]])
    }

    @Test func `identifying values that no contact has are written to the current contact`() async throws {
        let contacts = ContactServer()
        let session = try await start(contacts, in: try TemporaryFolder())
        #expect(try await session.contactIdentities.identify(Self.customerID) == .updated)
        let identity = session.behaviors.identity
        #expect(
            contacts.contacts == [
                identity.recipientID: [Self.mobileUserID: identity.primaryUserID, "Customer Id": "123"]
            ])
        #expect(try await session.contactIdentities.identify(Self.customerID) == .unchanged)
    }

    @Test func `a found contact without an app's id is adopted and gets the app's id`() async throws {
        let contacts = ContactServer(["7": ["Customer Id": "123"]])
        let session = try await start(contacts, in: try TemporaryFolder())
        let before = try await session.contactIdentities.setUp()
        #expect(try await session.contactIdentities.identify(Self.customerID) == .adopted)
        let identity = session.behaviors.identity
        #expect(identity.recipientID == "7")
        #expect(identity.primaryUserID == before.primaryUserID)
        #expect(contacts.contacts["7"] == ["Customer Id": "123", Self.mobileUserID: before.primaryUserID])
        #expect(
            contacts.contacts[before.recipientID] == [
                Self.mobileUserID: "", "Merged Recipient Id": "7", "Merged Date": "05/13/2014 16:53:20",
            ])
        #expect(contacts.rows.isEmpty)
    }

    @Test func `a found contact with another id replaces the current one, and the audit table gets a row`()
        async throws
    {
        let contacts = ContactServer(["7": ["Customer Id": "123", Self.mobileUserID: "known"]])
        let session = try await start(
            contacts, in: try TemporaryFolder(),
            settings: [
                "AuditRecord": ["mergeHistoryInAuditRecordTable": true, "auditRecordListId": "88"]
            ])
        let before = try await session.contactIdentities.setUp()
        #expect(try await session.contactIdentities.identify(Self.customerID) == .merged)
        let identity = session.behaviors.identity
        #expect(identity.recipientID == "7")
        #expect(identity.primaryUserID == "known")
        let old = try #require(contacts.contacts[before.recipientID])
        #expect(old["Merged Recipient Id"] == "7")
        #expect(old[Self.mobileUserID] == before.primaryUserID)
        #expect(contacts.rows.count == 1)
        #expect(contacts.rows.first?["Old Recipient Id"] == before.recipientID)
        #expect(contacts.rows.first?["New Recipient Id"] == "7")
        #expect(contacts.rows.first?["Create Date"] == "05/13/2014 16:53:20")
    }

    @Test func `a refused step throws its fault with the error id and keeps the identity`() async throws {
        let contacts = ContactServer()
        let session = try await start(contacts, in: try TemporaryFolder())
        let before = try await session.contactIdentities.setUp()
        contacts.state.withLock { $0.contacts = [:] }
        do {
            _ = try await session.contactIdentities.identify(Self.customerID)
            Issue.record("identified")
        } catch {
            guard case .fault(let fault) = error else { Issue.record("\(error)"); return }
            #expect(fault.errorID == 128)
        }
        #expect(session.behaviors.identity == before)
    }

    @Test(arguments: [nil, "known"])
    func `an identification that is cut off at any step is completed after a restart`(_ known: String?)
        async throws
    {
        var found = ["Customer Id": "123"]
        found[Self.mobileUserID] = known
        let audit: [String: [String: JSONValue]] = [
            "AuditRecord": ["mergeHistoryInAuditRecordTable": true, "auditRecordListId": "88"]
        ]
        for cut in 1...6 {
            let (contacts, folder) = (ContactServer(["7": found]), try TemporaryFolder())
            contacts.state.withLock { $0.cutAfter = cut }
            let dying = try await start(contacts, in: folder, settings: audit)
            _ = try? await dying.contactIdentities.identify(Self.customerID)
            dying.work.end()
            contacts.state.withLock { $0.cutAfter = .max }
            let session = try await start(contacts, in: folder, settings: audit)
            _ = try await session.contactIdentities.resume()
            // `resume` returns `nil` if the last step was done before the cut; `setUp` returns the identity anyway.
            let identity = try await session.contactIdentities.setUp()
            #expect(identity.recipientID == "7", "cut after \(cut)")
            #expect(contacts.contacts.count == 2, "cut after \(cut)")
            let old = try #require(contacts.contacts.first { $0.key != "7" })
            #expect(old.value["Merged Recipient Id"] == "7", "cut after \(cut)")
            #expect(contacts.contacts["7"]?[Self.mobileUserID] == identity.primaryUserID, "cut after \(cut)")
            #expect(identity.primaryUserID == known || known == nil, "cut after \(cut)")
            #expect(contacts.rows.count == 1, "cut after \(cut)")
            #expect(try await session.contactIdentities.resume() == nil)
        }
    }
}
