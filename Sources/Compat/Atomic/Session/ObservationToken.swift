import Foundation

/// What `stopObserving…` takes; dropping it does not end the observation, as documented.
final class ObservationToken: NSObject, Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    func stop() { task.cancel() }
}
