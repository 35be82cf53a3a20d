import InlayCore
@_spi(Inlay) import InlayWire

/// A runner of all plug-ins on one event, within one time limit for all of them.
struct Augmentation: Sendable {
    /// The delay before a plug-in that is not ready is called again.
    static let readinessCheckInterval = Duration.milliseconds(100)

    let plugins: [any BehaviorAugmenter]
    let limit: Duration
    let clock: any SessionClock
    let work: SessionWork

    private enum Step: Sendable {
        case pauseIsOver
        case processed(before: BehaviorEvent, after: BehaviorEvent)
    }

    /// Returns the event with the changes of the plug-ins; without any change when the limit was reached first.
    func run(_ event: BehaviorEvent) async -> BehaviorEvent {
        await TimeLimit.run(limit, clock: clock, work: work) { await rounds(event) } ?? event
    }

    private func rounds(_ event: BehaviorEvent) async -> BehaviorEvent {
        await withTaskGroup(of: Step.self) { group in
            var (current, waiting) = (event, plugins)
            var (running, isPausing) = (0, false)
            while !Task.isCancelled {
                running += await startReady(&waiting, &current, &group)
                if waiting.isEmpty, running == 0 { break }
                if !waiting.isEmpty, !isPausing {
                    isPausing = true
                    group.addTask { [clock] in
                        try? await clock.sleep(for: Self.readinessCheckInterval)
                        return .pauseIsOver
                    }
                }
                switch await group.next() {
                case .pauseIsOver, nil: isPausing = false
                case .processed(let before, let after):
                    running -= 1
                    current.take(before, after)
                }
            }
            group.cancelAll()
            return current
        }
    }

    /// Runs the synchronous plug-ins that are ready and starts the others in the group, up to the first synchronous one
    /// that is not ready; returns how many it started.
    private func startReady(
        _ waiting: inout [any BehaviorAugmenter], _ current: inout BehaviorEvent,
        _ group: inout TaskGroup<Step>
    ) async -> Int {
        var (index, started) = (0, 0)
        while index < waiting.count {
            let plugin = waiting[index]
            guard await plugin.isSupplementalDataReady() else {
                if plugin.processesSynchronously { break }
                index += 1
                continue
            }
            waiting.remove(at: index)
            let input = current
            if plugin.processesSynchronously {
                if let output = try? await plugin.process(input) { current.take(input, output) }
            } else {
                started += 1
                group.addTask {
                    .processed(before: input, after: (try? await plugin.process(input)) ?? input)
                }
            }
        }
        return started
    }
}

extension BehaviorEvent {
    /// Applies the changes that a plug-in made to a copy, because other plug-ins may have changed this event meanwhile.
    mutating func take(_ before: BehaviorEvent, _ after: BehaviorEvent) {
        let remaining = Set(after.attributes.map(\.name))
        let removed = Set(before.attributes.map(\.name)).subtracting(remaining)
        attributes.removeAll { removed.contains($0.name) }
        for attribute in after.attributes where before[attribute.name] != attribute.value {
            set(attribute.name, attribute.value)
        }
    }
}
