import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayHub
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
@testable import InlayZBiM
import Testing

typealias HubIdentifier = HubAdvertisingIdentifier

extension ZBiMTests {
    @Suite @MainActor struct Notifications {
        private func scheduled(_ stage: ZBiMStage) async throws -> UILocalNotification {
            var source = TestSource.harbor(1)
            source.index.notifications = Tolerant([
                HubNotification(
                    id: "one", fireAt: ZBiMStage.noon + .seconds(3600), message: "A herring",
                    action: "hub:article/herring")
            ])
            try await stage.ready(source)
            try await eventually { stage.scheduled.withLock { $0.count } == 1 }
            return try #require(stage.scheduled.withLock { $0.first })
        }

        @Test func `what the publisher announces is scheduled with its time and message`() async throws {
            let stage = try ZBiMStage()
            let notification = try await scheduled(stage)
            #expect(notification.alertBody == "A herring")
            #expect(notification.fireDate?.timeIntervalSince1970 == 2_000_003_600)
            #expect(ZBiM.canHandleLocalNotification(notification))
            #expect(stage.asked.withLock { $0.isEmpty })
        }

        @Test func `a notification of others is not handled, and nobody is asked`() async throws {
            let stage = try ZBiMStage()
            _ = try await scheduled(stage)
            let foreign = UILocalNotification()
            foreign.userInfo = ["ZBiMNotificationId": "other"]
            for notification in [foreign, UILocalNotification()] {
                #expect(!ZBiM.canHandleLocalNotification(notification))
                #expect(!ZBiM.handleLocalNotification(notification))
                #expect(!ZBiM.handleLocalNotification(notification, showAlert: true))
                #expect(!ZBiM.handleLocalNotification(notification, showAlert: false))
            }
            #expect(stage.asked.withLock { $0.isEmpty } && stage.page == nil)
        }

        @Test(arguments: [true, false])
        func `the reader is asked before the action, by both ways that ask`(isShort: Bool) async throws {
            let stage = try ZBiMStage()
            let notification = try await scheduled(stage)
            stage.answer.withLock { $0 = false }
            func handle() -> Bool {
                isShort
                    ? ZBiM.handleLocalNotification(notification)
                    : ZBiM.handleLocalNotification(notification, showAlert: true)
            }
            #expect(handle())
            try await eventually { stage.asked.withLock { $0.count } == 1 }
            #expect(stage.asked.withLock { $0 } == ["A herring"] && stage.page == nil)
            stage.answer.withLock { $0 = true }
            #expect(handle())
            try await eventually { stage.page == "hub:article/herring" }
            #expect(stage.asked.withLock { $0.count } == 2)
        }

        @Test func `an action without a session is an error in the log`() async throws {
            let stage = try ZBiMStage()
            let log = LogRecorder()
            ZBiM.setLoggingDelegate(log)
            let notification = UILocalNotification()
            notification.userInfo = [ZBiMScheduler.idKey: "inlay-hub.harbor.one"]
            #expect(ZBiM.handleLocalNotification(notification, showAlert: false))
            try await eventually { log.entries.contains { $0.text.contains("no session is open") } }
            #expect(stage.page == nil)
        }

        @Test func `without an alert the action runs straight away`() async throws {
            let stage = try ZBiMStage()
            let notification = try await scheduled(stage)
            #expect(ZBiM.handleLocalNotification(notification, showAlert: false))
            try await eventually { stage.page == "hub:article/herring" }
            #expect(stage.asked.withLock { $0.isEmpty })
        }
    }
}
