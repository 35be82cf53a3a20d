import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// An actor that keeps the system's scheduled notifications in step with the publisher's announcements.
actor HubAnnouncer {
    // Announcements that are gone from the index may still be in the system's list of shown notifications.
    private static let maximumRemembered = 200

    private let context: HubContext
    private let tags: @Sendable () -> HubTagCounts
    // The announcements that were given to the system and are not stored yet; a reader can tap them already.
    private var underway: [String: HubScheduledNotification] = [:]
    // Every `await` lets another call in. The changes of the schedule wait for one another, and end with the session.
    private let changes: SerialQueue

    init(_ context: HubContext, tags: @escaping @Sendable () -> HubTagCounts) {
        (self.context, self.tags) = (context, tags)
        changes = SerialQueue(context.session.work)
    }

    /// Schedules new and changed announcements and cancels those that are gone, or all while the hub is disabled.
    /// Returns before the system has the changes, which are made in the order of the calls.
    nonisolated func follow(_ index: HubIndex) {
        guard let scheduler = context.configuration.scheduler else { return }
        changes.add { await self.schedule(index, with: scheduler) }
    }

    /// Cancels all announcements that were not shown yet, after the changes of earlier calls.
    nonisolated func cancelAll() {
        guard let scheduler = context.configuration.scheduler else { return }
        changes.add { await self.cancelAll(with: scheduler) }
    }

    private func schedule(_ index: HubIndex, with scheduler: any HubNotificationScheduler) async {
        guard !Task.isCancelled else { return }
        let (now, source) = (context.time.now(), context.configuration.source)
        let known = Dictionary(stored.map { ($0.id, $0) }) { first, _ in first }
        let wanted = context.policies.isDisabled ? [] : index.notifications.elements.filter(isMeant)
        let scheduled = wanted.map { HubScheduledNotification($0, source: source) }
        let ids = Set(scheduled.map(\.id))
        let gone = known.values.filter { !ids.contains($0.id) && $0.fireAt > now }.map(\.id).sorted()
        let changed = scheduled.filter { $0.fireAt > now && known[$0.id] != $0 }
        if !gone.isEmpty { await scheduler.cancel(ids: gone) }
        underway = Dictionary(changed.map { ($0.id, $0) }) { first, _ in first }
        var missing = ids.intersection(underway.keys)
        for notification in changed {
            // After a log-out the system gets nothing more.
            if Task.isCancelled { break }
            await scheduler.schedule(notification)
            missing.remove(notification.id)
        }
        let current = scheduled.compactMap { missing.contains($0.id) ? known[$0.id] : $0 }
        let past = known.values.filter { !ids.contains($0.id) && $0.fireAt <= now }
        keep(current + past.sorted { $0.fireAt > $1.fireAt })
        underway = [:]
    }

    private func cancelAll(with scheduler: any HubNotificationScheduler) async {
        guard !Task.isCancelled else { return }
        let now = context.time.now()
        let (waiting, past) = (stored.filter { $0.fireAt > now }, stored.filter { $0.fireAt <= now })
        guard !waiting.isEmpty else { return }
        await scheduler.cancel(ids: waiting.map(\.id).sorted())
        keep(past)
    }

    /// Returns an announcement that was scheduled on this device, perhaps by an earlier run.
    func notification(_ id: String) -> HubScheduledNotification? {
        underway[id] ?? stored.first { $0.id == id }
    }

    private func isMeant(_ notification: HubNotification) -> Bool {
        notification.tags.isEmpty || HubTailoring(tags()).matches(notification.tags) > 0
    }

    private var stored: [HubScheduledNotification] {
        let data = try? context.database.value("announcements", source: context.configuration.source)
        return data.flatMap { try? JSONDecoder().decode([HubScheduledNotification].self, from: $0) } ?? []
    }

    private func keep(_ notifications: [HubScheduledNotification]) {
        guard let data = try? JSONEncoder().encode(Array(notifications.prefix(Self.maximumRemembered))) else {
            return
        }
        do {
            try context.database.set("announcements", data, source: context.configuration.source)
        } catch {
            // The next update schedules them again under the same ids.
            context.log.write(.warning, .debug, "hub: announcements could not be kept: \(error)")
        }
    }
}
