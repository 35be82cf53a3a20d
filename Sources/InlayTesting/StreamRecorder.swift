import InlayCore

/// A reader that collects a stream's elements in the background, and on which a test can wait.
public final class StreamRecorder<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isFinished = false
    }

    private let state = Locked(State())
    private let signal = ConditionSignal()
    private let reader: Locked<Task<Void, Never>?> = Locked(nil)

    /// Starts to read the stream.
    public init(_ stream: AsyncStream<Element>) {
        // Ends with the stream, or with this object.
        let task = Task { [state, signal] in
            for await element in stream {
                state.withLock { $0.elements.append(element) }
                signal.changed()
            }
            state.withLock { $0.isFinished = true }
            signal.changed()
        }
        reader.withLock { $0 = task }
    }

    deinit { stop() }

    /// The elements that were received so far.
    public var elements: [Element] { state.withLock { $0.elements } }

    /// Whether the stream has ended.
    public var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Stops reading, which drops the stream.
    public func stop() { reader.withLock { $0?.cancel() } }

    /// Waits until this many elements were received in all, and returns them.
    @discardableResult
    public func until(count: Int, within limit: Duration = WaitTimedOut.limit) async throws -> [Element] {
        try await signal.until(within: limit, "\(count) elements, not \(self.elements)") {
            self.elements.count >= count
        }
        return elements
    }

    /// Waits until any received element fits the condition.
    public func until(
        within limit: Duration = WaitTimedOut.limit, _ condition: @escaping @Sendable (Element) -> Bool
    ) async throws {
        try await signal.until(within: limit, "an element that fits, not \(self.elements)") {
            self.elements.contains(where: condition)
        }
    }

    /// Waits until the newest element fits the condition, and returns it.
    @discardableResult
    public func untilNewest(
        within limit: Duration = WaitTimedOut.limit, _ condition: @escaping @Sendable (Element) -> Bool
    ) async throws -> Element {
        let found = Locked<Element?>(nil)
        try await signal.until(within: limit, "a newest element that fits, not \(self.elements)") {
            guard let newest = self.elements.last, condition(newest) else { return false }
            found.withLock { $0 = newest }
            return true
        }
        guard let element = found.withLock({ $0 }) else { throw WaitTimedOut(what: "an element") }
        return element
    }

    /// Waits for the end of the stream.
    public func untilFinished(within limit: Duration = WaitTimedOut.limit) async throws {
        try await signal.until(within: limit, "the end of a stream") { self.isFinished }
    }
}
