import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) @testable import InlayHub
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@Suite struct NotificationTests {
    /// A scheduler that records its calls instead of scheduling with the system.
    private final class RecordingScheduler: HubNotificationScheduler {
        let waiting = Locked<[String: HubScheduledNotification]>([:])
        let calls = Locked<[String]>([])
        let whileScheduling: @Sendable (String) async -> Void

        init(whileScheduling: @escaping @Sendable (String) async -> Void = { _ in }) {
            self.whileScheduling = whileScheduling
        }

        func schedule(_ notification: HubScheduledNotification) async {
            waiting.withLock { $0[notification.id] = notification }
            calls.withLock { $0.append("schedule " + notification.id) }
            await whileScheduling(notification.id)
        }

        func cancel(ids: [String]) async {
            waiting.withLock { waiting in ids.forEach { waiting[$0] = nil } }
            calls.withLock { $0 += ids.map { "cancel " + $0 } }
        }

        var ids: [String] { waiting.withLock { $0.keys.sorted() } }
    }

    private let soon = HubFixture.noon + .seconds(3600)

    private func source(_ version: Int64, _ notifications: [HubNotification]) -> TestSource {
        var source = TestSource.harbor(version)
        source.index.notifications = LossyArray(notifications)
        return source
    }

    private func ready(
        _ notifications: [HubNotification], _ schedule: RecordingScheduler
    ) async throws -> HubFixture {
        var list = HubAllowList()
        try list.allow(scheme: "harbor")
        let allowed = list
        let fixture = try await HubFixture.ready(source(1, notifications)) {
            $0.scheduler = schedule
            $0.settings.allowed = allowed
        }
        try await eventually { (try? fixture.hub.engine.source.announcer) != nil }
        return fixture
    }

    @Test func `a future announcement is scheduled with its time, texts and action`()
        async throws
    {
        let schedule = RecordingScheduler()
        let fixture = try await ready(
            // They are scheduled in this order, so that a scheduled "past" would be there before "one".
            [
                HubNotification(id: "past", fireAt: HubFixture.noon + .seconds(-1), message: "Over"),
                HubNotification(
                    id: "one", fireAt: soon, title: "Harbor", message: "A new ferry",
                    action: "hub:article/first-ferry"),
            ], schedule)
        try await eventually { schedule.ids == ["inlay-hub.harbor.one"] }
        let notification = schedule.waiting.withLock { $0["inlay-hub.harbor.one"] }
        #expect(notification?.fireAt == soon && notification?.message == "A new ferry")
        #expect(notification?.title == "Harbor" && notification?.action == "hub:article/first-ferry")
        #expect(fixture.hub.state.isReady)
    }

    @Test func `changed announcements are rescheduled, removed ones cancelled, and others left alone`()
        async throws
    {
        let schedule = RecordingScheduler()
        let fixture = try await ready(
            ["same", "changed", "gone"].map { HubNotification(id: $0, fireAt: soon, message: "v1") }, schedule
        )
        try await eventually { schedule.ids.count == 3 }
        schedule.calls.withLock { $0 = [] }
        try fixture.publish(
            source(
                2,
                [
                    HubNotification(id: "same", fireAt: soon, message: "v1"),
                    HubNotification(id: "changed", fireAt: soon, message: "v2"),
                ]))
        try await fixture.hub.update()
        try await eventually { schedule.calls.withLock { $0.count } == 2 }
        #expect(
            schedule.calls.withLock { $0.sorted() } == [
                "cancel inlay-hub.harbor.gone", "schedule inlay-hub.harbor.changed",
            ])
    }

    @Test func `an announcement with tags is scheduled only for users with one of them`() async throws {
        let schedule = RecordingScheduler()
        let fixture = try await HubFixture.make()
        try fixture.activate("a", tags: ["boats"])
        try fixture.publish(
            source(
                1,
                // They are scheduled in this order, so that a scheduled "bikes" would be there before "boats".
                [
                    HubNotification(id: "bikes", fireAt: soon, message: "x", tags: ["bikes"]),
                    HubNotification(id: "boats", fireAt: soon, message: "x", tags: ["boats", "other"]),
                ]))
        try fixture.start { $0.scheduler = schedule }
        try await eventually { schedule.ids == ["inlay-hub.harbor.boats"] }
    }

    @Test func `a disabled hub announces nothing`() async throws {
        let schedule = RecordingScheduler()
        let fixture = try await ready([HubNotification(id: "one", fireAt: soon, message: "x")], schedule)
        try await eventually { schedule.ids.count == 1 }
        var disabling = source(2, [HubNotification(id: "one", fireAt: soon, message: "x")])
        disabling.policy = HubPolicy(version: 2, isDisabled: true)
        try fixture.publish(disabling)
        await #expect(throws: HubError.self) { try await fixture.hub.update() }
        try await eventually { schedule.ids.isEmpty }
    }

    @Test func `an announcement can be tapped and cancelled while the system schedules it`()
        async throws
    {
        let hub = Locked<Hub?>(nil)
        let (isTapped, mayGoOn) = (Locked(false), Locked(false))
        let schedule = RecordingScheduler { id in
            do {
                try await eventually { hub.withLock { $0 != nil } }
                let isHandled = try await hub.withLock { $0 }?.handle(notificationID: id)
                isTapped.withLock { $0 = isHandled == true }
                try await eventually { mayGoOn.withLock { $0 } }
            } catch {
                Issue.record(error)
            }
        }
        let page = HubNotification(id: "page", fireAt: soon, message: "x", action: "hub:article/herring")
        let fixture = try await ready([page], schedule)
        hub.withLock { $0 = fixture.hub }
        try await eventually { isTapped.withLock { $0 } }
        #expect(fixture.hub.presentation?.page == HubReference(.article, "herring"))
        var disabling = source(2, [page])
        disabling.policy = HubPolicy(version: 2, isDisabled: true)
        try fixture.publish(disabling)
        await #expect(throws: HubError.self) { try await fixture.hub.update() }
        mayGoOn.withLock { $0 = true }
        try await eventually { schedule.ids.isEmpty }
    }

    @Test func `a log-out during scheduling leaves the remaining announcements unscheduled`() async throws {
        let mayGoOn = Locked(false)
        let schedule = RecordingScheduler { _ in
            do {
                try await eventually { mayGoOn.withLock { $0 } }
            } catch is CancellationError {
                // The log-out ends the wait.
            } catch {
                Issue.record(error)
            }
        }
        let fixture = try await ready(
            ["a", "b", "c"].map { HubNotification(id: $0, fireAt: soon, message: "x") }, schedule)
        try await eventually { schedule.ids.count == 1 }
        let work = fixture.session.work
        try await fixture.session.logOut()
        mayGoOn.withLock { $0 = true }
        try await eventually { work.running == 0 }
        #expect(schedule.ids.count == 1)
    }

    @Test func `a tapped announcement opens its page or app link, also after a restart`() async throws {
        let schedule = RecordingScheduler()
        let fixture = try await ready(
            [
                HubNotification(id: "page", fireAt: soon, message: "x", action: "hub:article/herring"),
                HubNotification(id: "app", fireAt: soon, message: "x", action: "harbor://checkout"),
                HubNotification(id: "plain", fireAt: soon, message: "x"),
            ], schedule)
        try await eventually { schedule.ids.count == 3 }
        #expect(try await fixture.hub.handle(notificationID: "inlay-hub.harbor.page"))
        #expect(fixture.hub.presentation?.page == HubReference(.article, "herring"))
        #expect(try await fixture.hub.handle(notificationID: "inlay-hub.harbor.app"))
        try await fixture.events.until { if case .appLink("harbor://checkout") = $0 { true } else { false } }
        try fixture.hub.presentation?.dismiss()
        let again = try await fixture.restarted()
        try again.start { $0.scheduler = schedule }
        #expect(try await again.hub.handle(notificationID: "inlay-hub.harbor.plain"))
        #expect(again.hub.presentation?.page == HubReference(.hub, "sea"))
    }

    @Test func `a notification that is not the hub's is ignored, and the app is not asked`() async throws {
        let fixture = try await ready(
            [HubNotification(id: "page", fireAt: soon, message: "x")], RecordingScheduler())
        for id in ["other", "", "inlay-hub.harbor.unknown"] {
            let asked = Locked(false)
            let isHandled = try await fixture.hub.handle(notificationID: id) { _ in
                asked.withLock { $0 = true }
                return true
            }
            #expect(!isHandled && !asked.withLock { $0 } && fixture.hub.presentation == nil)
            #expect(try await !fixture.hub.handle(notificationID: id))
        }
    }

    @Test func `the app's question decides whether a tapped announcement opens its page`() async throws {
        let schedule = RecordingScheduler()
        let fixture = try await ready(
            [HubNotification(id: "page", fireAt: soon, message: "A herring", action: "hub:article/herring")],
            schedule)
        try await eventually { schedule.ids.count == 1 }
        let id = "inlay-hub.harbor.page"
        let isHandled = try await fixture.hub.handle(notificationID: id) { notification in
            #expect(notification.message == "A herring" && fixture.hub.presentation == nil)
            return false
        }
        #expect(isHandled && fixture.hub.presentation == nil)
        #expect(try await fixture.hub.handle(notificationID: id) { _ in true })
        #expect(fixture.hub.presentation?.page == HubReference(.article, "herring"))
    }
}
