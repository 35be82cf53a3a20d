import Foundation
import InlayCore
import InlayWire

/// Keeps the system's schedule in step with what the publisher wants announced.
actor HubAnnouncer {
    // Those that are gone from the index may still lie in the system's list of shown ones.
    private static let longestMemory = 200

    private let parts: HubParts
    private let tags: @Sendable () -> HubTagCounts
    // Every `await` lets another look in. Without this, two looks would schedule the same.
    private var underway: [String: HubScheduledNotification] = [:]

    init(_ parts: HubParts, tags: @escaping @Sendable () -> HubTagCounts) {
        (self.parts, self.tags) = (parts, tags)
    }

    /// Schedules what is new or changed and calls off what is gone; everything while the hub is disabled.
    func follow(_ index: HubIndex) async {
        guard let scheduler = parts.configuration.scheduler else { return }
        let (now, source) = (parts.time.now(), parts.configuration.source)
        let known = Dictionary(stored.map { ($0.id, $0) }) { first, _ in first }
        let wanted = parts.policies.isDisabled ? [] : index.notifications.elements.filter(isMeant)
        let scheduled = wanted.map { HubScheduledNotification($0, source: source) }
        let ids = Set(scheduled.map(\.id))
        let gone = known.values.filter { !ids.contains($0.id) && $0.fireAt > now }.map(\.id).sorted()
        let news = scheduled.filter {
            $0.fireAt > now && known[$0.id] != $0 && underway[$0.id] != $0
        }
        for notification in news { underway[notification.id] = notification }
        if !gone.isEmpty { await scheduler.cancel(ids: gone) }
        for notification in news { await scheduler.schedule(notification) }
        let past = known.values.filter { !ids.contains($0.id) && $0.fireAt <= now }
        keep(scheduled + past.sorted { $0.fireAt > $1.fireAt })
        for notification in news where underway[notification.id] == notification {
            underway[notification.id] = nil
        }
    }

    /// Calls off everything that did not show yet.
    func callOff() async {
        let now = parts.time.now()
        let (waiting, past) = (stored.filter { $0.fireAt > now }, stored.filter { $0.fireAt <= now })
        guard let scheduler = parts.configuration.scheduler, !waiting.isEmpty else { return }
        await scheduler.cancel(ids: waiting.map(\.id).sorted())
        keep(past)
    }

    /// An announcement that was scheduled here, perhaps by an earlier run.
    func notification(_ id: String) -> HubScheduledNotification? { stored.first { $0.id == id } }

    private func isMeant(_ notification: HubNotification) -> Bool {
        notification.tags.isEmpty || HubTailoring(tags()).matches(notification.tags) > 0
    }

    private var stored: [HubScheduledNotification] {
        let data = try? parts.database.value("announcements", source: parts.configuration.source)
        return data.flatMap { try? JSONDecoder().decode([HubScheduledNotification].self, from: $0) } ?? []
    }

    private func keep(_ notifications: [HubScheduledNotification]) {
        guard let data = try? JSONEncoder().encode(Array(notifications.prefix(Self.longestMemory))) else {
            return
        }
        do {
            try parts.database.set("announcements", data, source: parts.configuration.source)
        } catch {
            // The next update schedules them once more under the same ids.
            parts.log.write(.warning, .debug, "hub: announcements could not be kept: \(error)")
        }
    }
}
