import Foundation
import InlayBehaviors
@_spi(Inlay) import InlayCore
import InlayEngage
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import InlayXMLAPI
import Testing

extension EngageTests {
    @MainActor @Suite struct Database {
        static let list = "45654"

        @Test func `requests wait without a network, and are then sent once and in order`()
            async throws
        {
            let fixture = try EngageFixture()
            await fixture.boot()
            fixture.network.setReachable(false)
            let received = CallbackRecorder()
            for id in ["A", "B", "C"] {
                XMLAPIManager.get().postXMLAPI(
                    XMLAPI.resourceNamed("SelectRecipientData", params: ["RECIPIENT_ID": id]),
                    success: received.success, failure: received.failure)
            }
            await EngageRuntime.shared.settled()
            await EngageRuntime.shared.engine?.session.xmlapi.flush()
            #expect(fixture.server.requests(InlayPath.xmlAPI).isEmpty)
            #expect(received.results.isEmpty && received.errors.isEmpty)
            fixture.network.setReachable(true)
            try await received.until(3)
            fixture.network.setReachable(false)
            fixture.network.setReachable(true)
            await EngageRuntime.shared.engine?.session.xmlapi.flush()
            #expect(try fixture.operations.map { $0.value("RECIPIENT_ID") } == ["A", "B", "C"])
            #expect(received.results.count == 3)
            #expect(received.errors.isEmpty)
        }

        @Test func `a success runs the success task once, with the answer`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            fixture.server.always(InlayPath.xmlAPI, DatabaseResponses.recipient("1"))
            let received = CallbackRecorder()
            XMLAPIManager.get().postXMLAPI(
                XMLAPI.resourceNamed("GetLists"), successTask: received.success,
                failureTask: received.failure)
            try await received.until(1)
            await EngageRuntime.shared.settled()
            let answer: EngageResponseXML = try #require(received.results.first)
            #expect(answer.value(forShortPath: "SUCCESS").boolValue)
            #expect(received.results.count == 1)
            #expect(received.errors.isEmpty)
        }

        @Test(arguments: [400, 401, 404, 500, 503])
        func `a bad status runs the failure task once, with the status`(_ status: Int) async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            fixture.server.always(InlayPath.xmlAPI, .status(status))
            let received = try await fixture.post(XMLAPI.resourceNamed("GetLists"))
            await EngageRuntime.shared.settled()
            #expect(received.results.isEmpty)
            #expect(received.errors.count == 1)
            #expect((received.errors.first as? EngageServiceError)?.statusCode == status)
            #expect((received.errors.first.map { $0 as NSError })?.code == status)
        }

        @Test func `a refused connection runs the failure task`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            for error in [TransportError.unreachable("refused"), .cut("dropped"), .timedOut] {
                fixture.server.always(InlayPath.xmlAPI, .failure(error))
                let received = try await fixture.post(XMLAPI.resourceNamed("GetLists"))
                #expect(received.results.isEmpty)
                #expect((received.errors.first as? EngageServiceError)?.statusCode == nil)
            }
        }

        @Test func `a response with a fault is passed to the success block`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            fixture.server.always(InlayPath.xmlAPI, DatabaseResponses.fault("Invalid list", 106))
            let received = try await fixture.post(XMLAPI.selectRecipientData("a@b.example", list: Self.list))
            let answer = try #require(received.results.first)
            #expect(received.errors.isEmpty)
            #expect(!answer.value(forShortPath: "SUCCESS").boolValue)
            #expect(answer.value(forShortPath: "Fault.FaultString") == "Invalid list")
        }

        @Test func `a short path skips the container elements and gives nil for a missing element`() throws {
            let good = ResultDictionary(
                try XMLAPIResponse(
                    reading: Data(
                        "<Envelope><Body><RESULT><SUCCESS>TRUE</SUCCESS></RESULT></Body></Envelope>".utf8)))
            #expect(good.value(forShortPath: "SUCCESS") == "TRUE")
            #expect(good.value(forShortPath: "success").boolValue)
            #expect(good.value(forShortPath: "Fault.FaultString") == nil)
            let empty = ResultDictionary(try XMLAPIResponse(reading: Data("<Envelope/>".utf8)))
            #expect(empty.value(forShortPath: "SUCCESS") == nil)
            #expect(!empty.value(forShortPath: "SUCCESS").boolValue)
        }

        @Test func `an anonymous user is added to the list, and its id is kept over restarts`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            fixture.server.always(InlayPath.xmlAPI, DatabaseResponses.recipient("77"))
            let received = CallbackRecorder()
            XMLAPIManager.sharedInstance().createAnonymousUser(
                toList: Self.list, success: received.success, failure: received.failure)
            try await received.until(1)
            #expect(received.results.first?.value(forShortPath: "SUCCESS").boolValue == true)
            let operation = try #require(fixture.operations.first)
            #expect(operation.name == "AddRecipient")
            #expect(operation.children.map(\.name) == ["LIST_ID"])
            #expect(operation.value("LIST_ID") == Self.list)
            #expect(EngageConfig.anonymousId() == "77")

            let later = try EngageFixture(in: fixture.folder)
            #expect(EngageConfig.anonymousId() == "77")
            await later.boot()
            UBFManager.get().postEvent(UBF.namedEvent("seen", params: nil))
            try await later.flush()
            #expect(try later.posted(.namedEvent).map { $0["Anonymous Id"] } == ["77"])
        }

        @Test func `a fault or a failure keeps the anonymous id as it was`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            for earlier in ["", "12"] {
                EngageConfig.storeAnonymousId(earlier)
                fixture.server.next(InlayPath.xmlAPI, DatabaseResponses.fault("Invalid list"), .status(503))
                let received = CallbackRecorder()
                for number in 1...2 {
                    XMLAPIManager.get().createAnonymousUser(
                        toList: Self.list, success: received.success, failure: received.failure)
                    try await received.until(number)
                }
                #expect(received.results.map { $0.value(forShortPath: "SUCCESS").boolValue } == [false])
                #expect(received.results.first?.value(forShortPath: "Fault.FaultString") == "Invalid list")
                #expect(received.errors.map { ($0 as? EngageServiceError)?.statusCode } == [503])
                #expect(EngageConfig.anonymousId() == earlier)
            }
        }

        @Test func `selectRecipientData finds a registered user, and only the app sets the primary user id`()
            async throws
        {
            let fixture = try EngageFixture()
            await fixture.boot()
            fixture.server.always(InlayPath.xmlAPI, DatabaseResponses.recipient("702003"))
            let selectRecipientData = XMLAPI.selectRecipientData("somebody@somedomain.com", list: Self.list)
            let received = CallbackRecorder()
            XMLAPIManager.sharedInstance().postXMLAPI(
                selectRecipientData,
                success: { result in
                    if result.value(forShortPath: "SUCCESS").boolValue { received.success(result) }
                }, failure: received.failure)
            try await received.until(1)
            let operation = try #require(fixture.operations.first)
            #expect(operation.name == "SelectRecipientData")
            #expect(operation.value("EMAIL") == "somebody@somedomain.com")
            #expect(operation.value("LIST_ID") == Self.list)
            #expect(EngageConfig.primaryUserId().isEmpty)
            EngageConfig.storePrimaryUserId(received.results.first?.value(forShortPath: "RecipientId"))
            #expect(EngageConfig.primaryUserId() == "702003")
            UBFManager.get().postEvent(UBF.namedEvent("seen", params: nil))
            UBFManager.get().postEvent(UBF.goalCompleted("done", params: nil))
            try await fixture.flush()
            let ids = try fixture.posted.filter { ["16", "17"].contains($0.eventTypeCode) }
            #expect(ids.map { $0["Primary User Id"] } == ["702003", "702003"])
            _ = try EngageFixture(in: fixture.folder)
            #expect(EngageConfig.primaryUserId() == "702003")
        }

        @Test
        func `updateAnonymous links the anonymous and the primary user's records through the given columns`()
            async throws
        {
            for column in ["CONTACT_ID", "ID2"] {
                let fixture = try EngageFixture()
                await fixture.boot()
                EngageConfig.storeAnonymousId("77")
                EngageConfig.storePrimaryUserId("702003")
                let received = CallbackRecorder()
                XMLAPIManager.sharedInstance().updateAnonymous(
                    toPrimaryUser: EngageConfig.primaryUserId(), list: Self.list, primaryUserColumn: column,
                    mergeColumn: "MERGE_CONTACT_ID", success: received.success, failure: received.failure)
                try await received.until(1)
                #expect(received.results.first?.value(forShortPath: "SUCCESS").boolValue == true)
                let operations = try fixture.operations
                #expect(operations.map(\.name) == ["UpdateRecipient", "UpdateRecipient"])
                #expect(operations.allSatisfy { $0.value("LIST_ID") == Self.list })
                #expect(operations.map { $0.value("RECIPIENT_ID") } == ["77", nil])
                for operation in operations {
                    #expect(operation.child("COLUMN")?.value("NAME") == "MERGE_CONTACT_ID")
                    #expect(operation.child("COLUMN")?.value("VALUE") == "702003")
                }
                let key = operations.last?.first("SYNC_FIELDS.SYNC_FIELD")
                #expect(key?.value("NAME") == column)
                #expect(key?.value("VALUE") == "702003")
            }
        }

        @Test
        func
            `updateAnonymous reports a fault to the success block and a failure to the failure block, once each`()
            async throws
        {
            let fixture = try EngageFixture()
            await fixture.boot()
            EngageConfig.storeAnonymousId("77")
            fixture.server.next(
                InlayPath.xmlAPI, DatabaseResponses.fault("No such column", 314), .status(500))
            let received = CallbackRecorder()
            for number in 1...2 {
                XMLAPIManager.get().updateAnonymous(
                    toPrimaryUser: "702003", list: Self.list, primaryUserColumn: "C", mergeColumn: "M",
                    success: received.success, failure: received.failure)
                try await received.until(number)
            }
            #expect(
                received.results.map { $0.value(forShortPath: "Fault.FaultString") } == ["No such column"])
            #expect(received.errors.map { ($0 as? EngageServiceError)?.statusCode } == [500])
        }

        @Test func `updateAnonymous fails and sends nothing without both ids`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            let received = CallbackRecorder()
            func linkUsers(_ number: Int) async throws {
                XMLAPIManager.get().updateAnonymous(
                    toPrimaryUser: EngageConfig.primaryUserId(), list: Self.list, primaryUserColumn: "C",
                    mergeColumn: "M", success: received.success, failure: received.failure)
                try await received.until(number)
            }
            try await linkUsers(1)
            EngageConfig.storePrimaryUserId("702003")
            try await linkUsers(2)
            EngageConfig.storePrimaryUserId("")
            EngageConfig.storeAnonymousId("77")
            try await linkUsers(3)
            #expect(received.results.isEmpty)
            #expect(received.errors.count == 3)
            #expect(try fixture.operations.isEmpty)
        }

        @Test func `a request that was not sent before the app ended is sent after the restart`() async throws
        {
            let fixture = try EngageFixture()
            await fixture.boot()
            fixture.network.setReachable(false)
            XMLAPIManager.get().postXMLAPI(
                XMLAPI.resourceNamed("SelectRecipientData", params: ["RECIPIENT_ID": "7"]))
            await EngageRuntime.shared.settled()
            let later = try EngageFixture(in: fixture.folder)
            await later.boot()
            try await later.server.untilRequests(InlayPath.xmlAPI)
            #expect(try later.operations.map { $0.value("RECIPIENT_ID") } == ["7"])
        }
    }
}
