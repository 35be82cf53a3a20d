import Foundation
import InlayBehaviors
@_spi(Inlay) import InlayCore
import InlayEngage
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension EngageTests {
    @MainActor @Suite struct Identity {
        private static let settings: [String: [String: JSONValue]] = ["General": ["databaseListId": "45654"]]

        @Test func `the identity manager sets up a contact and merges it with a found contact`()
            async throws
        {
            let fixture = try EngageFixture(settings: Self.settings)
            let contacts = ContactServer(["7": ["Customer Id": "123"]])
            fixture.server.always(InlayPath.xmlAPI, contacts.answer)
            await fixture.boot()
            let recorded = Locked<[MobileIdentity]>([])
            let changes = ConditionSignal()
            let recordIdentity: MobileIdentityManager.Success = { identity in
                recorded.withLock { $0.append(identity) }
                changes.changed()
            }
            MobileIdentityManager.sharedInstance().setupRecipient(success: recordIdentity)
            try await changes.until { recorded.withLock { $0.count } == 1 }
            MobileIdentityManager.sharedInstance().checkIdentity(
                forIds: ["Customer Id": "123"], success: recordIdentity)
            try await changes.until { recorded.withLock { $0.count } == 2 }
            let identities = recorded.withLock { $0 }
            #expect(identities.last?.recipientId == "7")
            #expect(identities.first?.mobileUserId == identities.last?.mobileUserId)
            #expect(EngageConfig.recipientId() == "7")
            UBFManager.get().postEvent(UBF.namedEvent("seen", params: nil))
            try await fixture.flush()
            let event = try #require(try fixture.posted(.namedEvent).first)
            #expect(event["Recipient Id"] == "7")
            #expect(event["Primary User Id"] == identities.last?.mobileUserId)
            #expect(event.contactId == identities.last?.mobileUserId)
        }

        @Test func `a location and its date are written to the configured columns of the contact`()
            async throws
        {
            let june = try #require(Timestamp(rfc3339: "2014-06-10T21:30:00Z"))
            let custom: [String: [String: JSONValue]] = [
                "LocationServices": [
                    "lastKnownLocationColumn": "Place", "lastKnownLocationTimestampColumn": "Seen",
                    "lastKnownLocationDateFormat": "MM-dd-yyyy",
                ]
            ]
            let cases = [
                (Self.settings, ["Last Location Address", "Last Location Address Time"], "2014-06-10"),
                (Self.settings.merging(custom) { $1 }, ["Place", "Seen"], "06-10-2014"),
            ]
            for (settings, names, date) in cases {
                let fixture = try EngageFixture(at: june, settings: settings, location: StromnessSource())
                EngageConfig.storeRecipientId("77")
                await fixture.boot()
                let engine = try #require(EngageRuntime.shared.engine)
                await engine.behaviors.reportLocation(LocationFix(StromnessSource.pier, time: june))
                try await fixture.server.untilRequests(InlayPath.xmlAPI)
                let operation = try #require(fixture.operations.first)
                #expect(operation.name == "UpdateRecipient")
                #expect(operation.value("RECIPIENT_ID") == "77")
                #expect(operation.value("LIST_ID") == "45654")
                let columns = operation.children(named: "COLUMN")
                #expect(columns.map { $0.value("NAME") } == names)
                #expect(columns.map { $0.value("VALUE") } == ["Stromness KW16", date])
                // The distance filter is 10 metres by default.
                await engine.behaviors.reportLocation(
                    LocationFix(StromnessSource.pier.north(metres: 9), time: june))
                await engine.behaviors.reportLocation(
                    LocationFix(StromnessSource.pier.north(metres: 11), time: june))
                try await fixture.server.untilRequests(InlayPath.xmlAPI, 2)
                let second = try #require(fixture.operations.dropFirst().first)
                let address = second.children(named: "COLUMN").first?.value("VALUE")
                #expect(address == "Stromness KW16, 11 m north")
                #expect(try fixture.operations.count == 2)
            }
        }

        @Test func `without a known user no location update is built`() throws {
            _ = try EngageFixture(settings: Self.settings)
            #expect(XMLAPI.updateUserLastKnownLocation("Stromness", listId: "1") == nil)
            EngageConfig.storePrimaryUserId("u-1")
            let request = try #require(XMLAPI.updateUserLastKnownLocation("Stromness", listId: "1")).request
            #expect(request.syncFields == [.init("Mobile User Id", "u-1")])
            #expect(request["LIST_ID"] == "1")
        }

        @Test func `a session that ends by its timeout is tracked with its duration and the campaign`()
            async throws
        {
            let fixture = try EngageFixture()
            let application = await fixture.boot()
            application.onForeground()
            EngageConfig.storeCurrentCampaign("Spring", withExpirationTimestamp: 0)
            await EngageRuntime.shared.settled()
            fixture.clock.advance(by: .seconds(60))
            application.onBackground()
            await EngageRuntime.shared.settled()
            fixture.clock.advance(by: .seconds(31 * 60))
            application.onForeground()
            try await fixture.flush()
            let ended = try #require(try fixture.posted(.sessionEnded).first)
            #expect(ended["Session Duration"] == "60")
            #expect(ended["Campaign Name"] == "Spring")
        }
    }
}

/// A location source without a GPS fix, which returns an address of its own for each metre north of the pier.
private struct StromnessSource: LocationSource {
    static let pier = Coordinates(latitude: 58.965, longitude: -3.295)

    func fix() async throws -> LocationFix { throw CancellationError() }

    func place(at coordinates: Coordinates) async throws -> Place {
        let metres = Int(((coordinates.latitude - Self.pier.latitude) * 111_195).rounded())
        return Place(address: metres == 0 ? "Stromness KW16" : "Stromness KW16, \(metres) m north")
    }
}

extension Coordinates {
    fileprivate func north(metres: Double) -> Coordinates {
        Coordinates(latitude: latitude + metres / 111_195, longitude: longitude)
    }
}
