@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

@Suite struct LocationTests {
    struct Nowhere: Error {}

    @Test func `without plug-ins of the app an event gets coordinates, address and name`() async throws {
        let clock = ManualClock(at: BehaviorsFixture.newYear)
        let fixture = try await BehaviorsFixture.start(clock: clock) {
            $0.location = TestLocation.london(clock)
        }
        try await fixture.behaviors.track(.named("a"))
        try await fixture.until([.notPosted])
        await fixture.behaviors.postEventCache()
        let event = try #require(try fixture.posted.first)
        #expect(event["Latitude"] == "51.5" && event["Longitude"] == "-0.1")
        #expect(event["Location Name"] == "London")
        #expect(event["Location Address"] == "London W1A, United Kingdom (GB)")
    }

    @Test func `the names of the place's attributes are those of the settings`() async throws {
        let clock = ManualClock(at: BehaviorsFixture.newYear)
        let fixture = try await BehaviorsFixture.start(clock: clock) {
            $0.location = TestLocation.london(clock)
            $0.settings.fields.latitude = "Lat"
            $0.settings.fields.longitude = "Lon"
            $0.settings.fields.locationName = "LN"
            $0.settings.fields.locationAddress = "LA"
        }
        try await fixture.behaviors.track(.named("a"))
        try await fixture.until([.notPosted])
        let event = try #require(try await fixture.behaviors.stored().first).event
        #expect(event["Lat"] == "51.5" && event["Lon"] == "-0.1")
        #expect(event["LN"] == "London" && event["LA"] == "London W1A, United Kingdom (GB)")
        #expect(event["Latitude"] == nil && event["Location Name"] == nil)
    }

    @Test func `a location that the app sets replaces the device's`() async throws {
        let clock = ManualClock(at: BehaviorsFixture.newYear)
        let fixture = try await BehaviorsFixture.start(clock: clock) {
            $0.location = TestLocation.london(clock)
        }
        try await fixture.behaviors.track(
            .named("a", attributes: ["Latitude": 1, "Location Name": "Here"]))
        try await fixture.until([.notPosted])
        let event = try #require(try await fixture.behaviors.stored().first).event
        #expect(event["Latitude"] == "1" && event["Location Name"] == "Here")
    }

    @Test func `when location is disabled, the location service is never called`() async throws {
        let clock = ManualClock(at: BehaviorsFixture.newYear)
        let location = TestLocation.london(clock)
        let fixture = try await BehaviorsFixture.start(clock: clock) {
            $0.location = location
            $0.settings.location.isEnabled = false
        }
        try await fixture.behaviors.track(.named("a"))
        #expect(try await fixture.states() == [.notPosted])
        let event = try #require(try await fixture.behaviors.stored().first).event
        for name in ["Latitude", "Longitude", "Location Name", "Location Address"] {
            #expect(event[name] == nil)
        }
        #expect(location.fixes == 0)
    }

    @Test func `a fix is used for an hour, then a new one is requested`() async throws {
        let clock = ManualClock(at: BehaviorsFixture.newYear)
        let location = TestLocation.london(clock)
        let fixture = try await BehaviorsFixture.start(clock: clock) { $0.location = location }
        await fixture.behaviors.reportLocation(
            LocationFix(Coordinates(latitude: 58.96, longitude: -3.3), time: clock.now()))
        clock.advance(by: .seconds(59 * 60))
        let first = try await fixture.behaviors.track(.named("a"))
        try await fixture.until([.notPosted])
        #expect(location.fixes == 0)
        clock.advance(by: .seconds(2 * 60))
        try await fixture.behaviors.track(.named("b"))
        try await fixture.until([.notPosted, .notPosted])
        #expect(location.fixes == 1)
        let events = try await fixture.behaviors.stored().map(\.event)
        #expect(events.map { $0["Latitude"] } == ["58.96", "51.5"])
        #expect(events.first?.id == first)
    }

    @Test func `coordinates that do not come are left out after their own time-out`() async throws {
        let clock = ManualClock(at: BehaviorsFixture.newYear)
        let latch = Latch()
        let location = TestLocation(fix: {
            await latch.wait()
            throw Nowhere()
        })
        let fixture = try await BehaviorsFixture.start(clock: clock) {
            $0.location = location
            $0.settings.augmentationTimeout = .seconds(60)
        }
        try await fixture.behaviors.track(.named("a"))
        try await location.until(fixes: 1)
        try await clock.untilSleeping(2)
        clock.advance(by: .seconds(14))
        #expect(try await fixture.states() == [.hold])
        clock.advance(by: .seconds(1))
        try await fixture.until([.notPosted])
        let event = try #require(try await fixture.behaviors.stored().first).event
        #expect(event["Latitude"] == nil && event["Longitude"] == nil)
        latch.open()
    }

    @Test func `a place that does not come is left out after its own time-out, the coordinates stay`()
        async throws
    {
        let clock = ManualClock(at: BehaviorsFixture.newYear)
        let latch = Latch()
        let location = TestLocation(
            fix: { LocationFix(Coordinates(latitude: 51.5, longitude: -0.1), time: clock.now()) },
            place: {
                await latch.wait()
                throw Nowhere()
            })
        let fixture = try await BehaviorsFixture.start(clock: clock) {
            $0.location = location
            $0.settings.augmentationTimeout = .seconds(60)
        }
        try await fixture.behaviors.track(.named("a"))
        try await location.until(places: 1)
        try await clock.untilSleeping(2)
        clock.advance(by: .seconds(15))
        try await fixture.until([.notPosted])
        let event = try #require(try await fixture.behaviors.stored().first).event
        #expect(event["Latitude"] == "51.5" && event["Longitude"] == "-0.1")
        #expect(event["Location Name"] == nil && event["Location Address"] == nil)
        latch.open()
    }

    @Test func `the limit of all plug-ins also ends a place request that began late`() async throws {
        let clock = ManualClock(at: BehaviorsFixture.newYear)
        let (first, second) = (Latch(), Latch())
        let location = TestLocation(
            fix: {
                await first.wait()
                return LocationFix(Coordinates(latitude: 51.5, longitude: -0.1), time: clock.now())
            },
            place: {
                await second.wait()
                throw Nowhere()
            })
        let fixture = try await BehaviorsFixture.start(clock: clock) { $0.location = location }
        try await fixture.behaviors.track(.named("a"))
        try await location.until(fixes: 1)
        try await clock.untilSleeping(2)
        clock.advance(by: .seconds(14))
        first.open()
        try await location.until(places: 1)
        try await clock.untilSleeping(for: .seconds(15))
        #expect(try await fixture.states() == [.hold])
        clock.advance(by: .seconds(1))
        try await fixture.until([.notPosted])
        second.open()
    }

    @Test func `only a fix far enough from the last reported one is an update`() async throws {
        let clock = ManualClock(at: BehaviorsFixture.newYear)
        let fixture = try await BehaviorsFixture.start(clock: clock) {
            $0.location = TestLocation.london(clock)
        }
        let updates = StreamRecorder(fixture.behaviors.locationUpdates())
        let start = Coordinates(latitude: 58.96, longitude: -3.3)
        // A degree of latitude is 111,195 metres on a sphere with the earth's mean radius.
        func north(_ metres: Double) -> Coordinates {
            Coordinates(latitude: start.latitude + metres / 111_195, longitude: start.longitude)
        }
        for place in [start, north(9), north(11)] {
            await fixture.behaviors.reportLocation(LocationFix(place, time: clock.now()))
        }
        try await updates.until(count: 2)
        #expect(updates.elements.map(\.coordinates) == [start, north(11)])
    }

    @Test func `distances are measured on the earth's surface`() {
        let (london, paris) = (
            Coordinates(latitude: 51.5074, longitude: -0.1278),
            Coordinates(latitude: 48.8566, longitude: 2.3522)
        )
        #expect(abs(london.metres(to: paris) - 343_556) < 500)
        #expect(london.metres(to: london) == 0)
    }
}
