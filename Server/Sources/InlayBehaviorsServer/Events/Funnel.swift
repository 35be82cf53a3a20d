import InlayServerCore
@_spi(Inlay) import InlayWire

/// A sequence of events that users go through, with a maximum time from the first step to the last.
package struct Funnel: Hashable, Sendable, Codable {
    /// An event that a step waits for.
    package struct Step: Hashable, Sendable, Codable {
        package var code: Int
        /// The event's or goal's name; any when `nil`.
        package var name: String?
        /// The name of an attribute that the event must have; none when `nil`.
        package var attribute: String?
        /// The value that the attribute must have; any when `nil`.
        package var value: String?

        /// Creates a step that matches events with a code and, unless `nil`, with a name, an attribute and its value.
        package init(_ code: Int, _ name: String? = nil, attribute: String? = nil, value: String? = nil) {
            self.code = code
            self.name = name
            self.attribute = attribute
            self.value = value
        }

        /// The filter of the events that match the step.
        var filter: BehaviorFilter {
            var filter = BehaviorFilter()
            (filter.code, filter.name) = (code, name)
            filter.attributes = attribute.map { [.init($0, value)] } ?? []
            return filter
        }

        func matches(_ event: Event) -> Bool {
            guard code == event.code, name == nil || name == event.name else { return false }
            guard let attribute else { return true }
            return event.attributes.contains {
                $0.name == attribute && (value == nil || $0.value == value)
            }
        }
    }

    /// The part of an event that a step checks.
    struct Event {
        let code: Int
        let name: String
        var attributes: [EventAttributePair] = []
    }

    package static let maximumSteps = 10

    /// The steps, in order; 1 to 10.
    package var steps: [Step]
    /// The maximum number of seconds from the first step to the last.
    package var windowSeconds: Int64

    /// Creates a funnel; `window` is cut to whole seconds.
    package init(steps: [Step], window: Duration) {
        self.steps = steps
        windowSeconds = window.components.seconds
    }

    func check() throws {
        guard (1...Self.maximumSteps).contains(steps.count) else {
            throw Problem.invalidValue("steps", "1 to \(Self.maximumSteps).")
        }
        guard (1...(366 * 86_400)).contains(windowSeconds) else {
            throw Problem.invalidValue("window", "From one second to 366 days.")
        }
        guard steps.allSatisfy({ EventCode(rawValue: $0.code) != nil }) else {
            throw Problem.unknownEventCode
        }
    }
}

/// The progress of users through a funnel.
package struct FunnelResult: Hashable, Sendable {
    /// For each step, the number of users who completed it and all earlier steps within the window.
    package let users: [Int]
    /// Whether there were more events than one query scans, see ``BehaviorStore/maximumScannedEvents``.
    package let isPartial: Bool
}

/// The evaluation of a funnel over events in order of time.
///
/// For each user and step, it stores the latest time of a first step from which the user reached the step: later
/// first steps leave more of the window, so earlier ones need not be remembered.
struct FunnelProgress {
    let funnel: Funnel
    private var starts: [UserID: [Int64?]] = [:]
    private var reached: [UserID: Int] = [:]

    init(_ funnel: Funnel) { self.funnel = funnel }

    mutating func process(_ userID: UserID, _ event: Funnel.Event, at moment: Int64) {
        var own = starts[userID] ?? Array(repeating: nil, count: funnel.steps.count)
        let window = funnel.windowSeconds * 1_000_000
        // From the last step to the first, so that one event never counts as two steps.
        for (index, step) in funnel.steps.enumerated().reversed() where step.matches(event) {
            if index == 0 {
                own[0] = moment
            } else if let start = own[index - 1], moment - start <= window {
                own[index] = max(own[index] ?? start, start)
            } else {
                continue
            }
            reached[userID] = max(reached[userID] ?? 0, index + 1)
        }
        starts[userID] = own
    }

    /// The number of users who reached each step.
    var users: [Int] {
        funnel.steps.indices.map { index in reached.values.count { $0 > index } }
    }
}
