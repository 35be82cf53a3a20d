import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayHub
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
@testable import InlayZBiM
import Testing

extension ZBiMTests {
    @Suite @MainActor struct Notifications {
        private func scheduled(
            _ fixture: ZBiMFixture, beside others: [HubNotification] = []
        ) async throws -> UILocalNotification {
            var source = TestSource.harbor(1)
            let herring = HubNotification(
                id: "one", fireAt: ZBiMFixture.noon + .seconds(3600), message: "A herring",
                action: "hub:article/herring")
            source.index.notifications = LossyArray([herring] + others)
            try await fixture.ready(source)
            try await eventually { fixture.scheduled.withLock { $0.count } == 1 + others.count }
            return try #require(
                fixture.scheduled.withLock { all in all.first { $0.alertBody == herring.message } })
        }

        @Test func `what the publisher announces is scheduled with its time and message`() async throws {
            let fixture = try ZBiMFixture()
            let notification = try await scheduled(fixture)
            #expect(notification.alertBody == "A herring")
            #expect(notification.fireDate?.timeIntervalSince1970 == 2_000_003_600)
            #expect(ZBiM.canHandleLocalNotification(notification))
            #expect(fixture.questions.withLock { $0.isEmpty })
        }

        @Test func `a notification of others is not handled, and nobody is asked`() async throws {
            let fixture = try ZBiMFixture()
            _ = try await scheduled(fixture)
            let foreign = UILocalNotification()
            foreign.userInfo = ["ZBiMNotificationId": "other"]
            for notification in [foreign, UILocalNotification()] {
                #expect(!ZBiM.canHandleLocalNotification(notification))
                #expect(!ZBiM.handleLocalNotification(notification))
                #expect(!ZBiM.handleLocalNotification(notification, showAlert: true))
                #expect(!ZBiM.handleLocalNotification(notification, showAlert: false))
            }
            #expect(fixture.questions.withLock { $0.isEmpty } && fixture.page == nil)
        }

        @Test(arguments: [true, false])
        func `the reader is asked before the action, by both ways that ask`(isShort: Bool) async throws {
            let fixture = try ZBiMFixture()
            let ferry = HubNotification(
                id: "two", fireAt: ZBiMFixture.noon + .seconds(7200), message: "A ferry",
                action: "hub:article/first-ferry")
            let declined = try await scheduled(fixture, beside: [ferry])
            let accepted = try #require(
                fixture.scheduled.withLock { all in all.first { $0.alertBody == ferry.message } })
            func handle(_ notification: UILocalNotification) -> Bool {
                isShort
                    ? ZBiM.handleLocalNotification(notification)
                    : ZBiM.handleLocalNotification(notification, showAlert: true)
            }
            fixture.answer.withLock { $0 = false }
            #expect(handle(declined))
            try await eventually { fixture.questions.withLock { $0.count } == 1 }
            fixture.answer.withLock { $0 = true }
            #expect(handle(accepted))
            try await eventually { fixture.page == "hub:article/first-ferry" }
            #expect(fixture.questions.withLock { $0 } == ["A herring", "A ferry"])
            // The metrics are in the order in which actions ran, so a declined one would come before the accepted one.
            try await eventually { try await !Self.opened(fixture).isEmpty }
            #expect(try await Self.opened(fixture) == ["inlay-hub.harbor.two"])
        }

        /// The ids of the notifications whose action was run.
        private static func opened(_ fixture: ZBiMFixture) async throws -> [String] {
            try await fixture.metrics().filter { $0.name == "hub-notification-opened" }
                .compactMap { $0.properties["notification"]?.string }
        }

        @Test func `an action without a session is an error in the log`() async throws {
            let fixture = try ZBiMFixture()
            let log = LogRecorder()
            ZBiM.setLoggingDelegate(log)
            let notification = UILocalNotification()
            notification.userInfo = [ZBiMScheduler.idKey: "inlay-hub.harbor.one"]
            #expect(ZBiM.handleLocalNotification(notification, showAlert: false))
            try await eventually { log.entries.contains { $0.text.contains("no session is open") } }
            #expect(fixture.page == nil)
        }

        @Test func `without an alert the action runs straight away`() async throws {
            let fixture = try ZBiMFixture()
            let notification = try await scheduled(fixture)
            #expect(ZBiM.handleLocalNotification(notification, showAlert: false))
            try await eventually { fixture.page == "hub:article/herring" }
            #expect(fixture.questions.withLock { $0.isEmpty })
        }
    }
}
