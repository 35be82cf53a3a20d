import InlayBehaviors
import InlayEngage
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension EngageTests {
    @MainActor @Suite struct Augmentations {
        /// Starts an app with plug-ins that are ready, and posts the installation.
        private func start(_ plugins: ScriptedPlugin...) async throws -> EngageFixture {
            let fixture = try EngageFixture()
            for plugin in plugins { UBFManager.register(plugin) }
            await fixture.boot()
            try await fixture.untilReleased()
            await fixture.postEventCache()
            return fixture
        }

        private func post(_ name: String) async {
            UBFManager.get().postEvent(UBF.namedEvent(name, params: nil))
            await EngageRuntime.shared.settled()
        }

        @Test func `an event is held and not processed until its plug-in is ready`()
            async throws
        {
            let plugin = ScriptedPlugin.adding("x")
            let fixture = try await start(plugin)
            let before = plugin.readinessChecks
            plugin.isReady = false
            await post("held")
            try await eventually { plugin.readinessChecks > before }
            try await plugin.untilCheckedAgain(fixture, times: 2)
            await fixture.postEventCache()
            #expect(plugin.processed.compactMap { $0["Event Name"] }.isEmpty)
            #expect(try await fixture.stored([.hold]).map { $0.event["Event Name"] } == ["held"])
            plugin.isReady = true
            try await plugin.untilCheckedAgain(fixture)
            try await fixture.untilReleased()
            await fixture.postEventCache()
            // The installation, and then the event once: the flush while it was held sent nothing.
            #expect(try fixture.submissions.map { $0.map { $0["Event Name"] } } == [[nil], ["held"]])
            #expect(try fixture.posted(named: "held").map { $0["x"] } == ["added"])
        }

        @Test func `a plug-in that works synchronously holds up the next, which sees what it added`()
            async throws
        {
            let first = ScriptedPlugin.adding("first")
            let second = ScriptedPlugin()
            let fixture = try await start(first, second)
            let (before, secondChecks) = (first.readinessChecks, second.readinessChecks)
            first.isReady = false
            await post("held")
            try await eventually { first.readinessChecks > before }
            try await first.untilCheckedAgain(fixture, times: 2)
            // The first plug-in was called three times; the second, although ready, was not called.
            #expect(second.readinessChecks == secondChecks && second.processed.count == 1)
            first.isReady = true
            try await first.untilCheckedAgain(fixture)
            try await fixture.untilReleased()
            #expect(second.processed.last?["Event Name"] == "held")
            #expect(second.processed.last?["first"] == "added")
        }

        @Test func `a plug-in that does not work synchronously holds up no other`() async throws {
            let first = ScriptedPlugin.adding("first", synchronous: false)
            let second = ScriptedPlugin.adding("second")
            let fixture = try await start(first, second)
            first.isReady = false
            await post("held")
            try await eventually { second.processed.last?["Event Name"] == "held" }
            #expect(first.processed.compactMap { $0["Event Name"] }.isEmpty)
            #expect(try await fixture.stored([.hold]).count == 1)
            first.isReady = true
            try await first.untilCheckedAgain(fixture)
            try await fixture.untilReleased()
            await fixture.postEventCache()
            let event = try #require(try fixture.posted(named: "held").first)
            #expect(event["first"] == "added" && event["second"] == "added")
        }

        @Test func `the event that a plug-in returns is posted, with its name, its params and its tags`()
            async throws
        {
            let other = ScriptedPlugin { event in
                guard event.eventTypeCode == 17 else { return event }
                let other = UBF.namedEvent("returned", params: ["only": "this"])
                other.addTags(["a", "b"])
                return other
            }
            let tagging = ScriptedPlugin { event in
                event.addTags(["c"])
                return event
            }
            let fixture = try await start(other, tagging)
            UBFManager.get().postEvent(UBF.namedEvent("given", params: ["x": "y"]))
            try await fixture.untilReleased()
            await fixture.postEventCache()
            let event = try #require(try fixture.posted(named: "returned").first)
            #expect(event["only"] == "this" && event["x"] == nil && event["Tags"] == "a,b,c")
            #expect(event["App Name"] == "Demo")
            #expect(try fixture.posted(named: "given").isEmpty)
            #expect(try fixture.posted(.installed).map { $0["Tags"] } == ["c"])
        }

        @Test func `a plug-in that is ready too late changes nothing, and nothing is posted twice`()
            async throws
        {
            let plugin = ScriptedPlugin.adding("x")
            let fixture = try await start(plugin)
            let before = plugin.readinessChecks
            plugin.isReady = false
            await post("late")
            try await eventually { plugin.readinessChecks > before }
            try await fixture.clock.untilSleeping(for: .seconds(15))
            fixture.clock.advance(by: .seconds(15))
            try await fixture.untilReleased()
            await fixture.postEventCache()
            plugin.isReady = true
            await post("next")
            try await fixture.untilReleased()
            await fixture.postEventCache()
            #expect(try fixture.posted(.namedEvent).map { $0["Event Name"] } == ["late", "next"])
            #expect(try fixture.posted(.namedEvent).map { $0["x"] } == [nil, "added"])
            #expect(plugin.processed.compactMap { $0["Event Name"] } == ["next"])
        }

        @Test func `an event gets coordinates and a place without a plug-in, and the app's own win`()
            async throws
        {
            let fixture = try EngageFixture(location: LondonSource())
            await fixture.boot()
            UBFManager.get().postEvent(UBF.namedEvent("here", params: nil))
            UBFManager.get().postEvent(
                UBF.namedEvent("there", params: ["Latitude": 1, "Location Name": "There"]))
            try await fixture.untilReleased()
            await fixture.postEventCache()
            let here = try #require(try fixture.posted(named: "here").first)
            #expect(here["Latitude"] == "51.5" && here["Longitude"] == "-0.1")
            #expect(here["Location Name"] == "London")
            let there = try #require(try fixture.posted(named: "there").first)
            #expect(there.attributes.filter { $0.name == "Latitude" }.map(\.value) == ["1"])
            #expect(there["Location Name"] == "There")
        }
    }
}

/// A location service that reports London.
private struct LondonSource: LocationSource {
    func fix() async throws -> LocationFix {
        LocationFix(Coordinates(latitude: 51.5, longitude: -0.1), time: EngageFixture.noon)
    }

    func place(at coordinates: Coordinates) async throws -> Place { Place(name: "London") }
}
