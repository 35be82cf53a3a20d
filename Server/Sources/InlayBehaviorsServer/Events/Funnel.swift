import InlayServerCore
@_spi(Inlay) import InlayWire

/// Steps that users take one after the other, and how long they may take from the first to the last.
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

        /// A step for a code, a name where the code has names, and an attribute.
        package init(_ code: Int, _ name: String? = nil, attribute: String? = nil, value: String? = nil) {
            self.code = code
            self.name = name
            self.attribute = attribute
            self.value = value
        }

        /// The events that take the step.
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

    /// In their order; 1 to 10.
    package var steps: [Step]
    /// Seconds from the first step to the last.
    package var windowSeconds: Int64

    /// A funnel of steps within a time.
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
    /// For each step, how many users took it and all before it in time.
    package let users: [Int]
    /// Whether there were more events than are looked at for one answer.
    package let isPartial: Bool
}

/// Follows users through a funnel, event by event in the order of time.
///
/// For each step it keeps the latest start from which the user has come there: a later start leaves more of
/// the window, so no other start need be remembered.
struct FunnelProgress {
    let funnel: Funnel
    private var starts: [UserID: [Int64?]] = [:]
    private var reached: [UserID: Int] = [:]

    init(_ funnel: Funnel) { self.funnel = funnel }

    mutating func take(_ userID: UserID, _ event: Funnel.Event, at moment: Int64) {
        var own = starts[userID] ?? Array(repeating: nil, count: funnel.steps.count)
        let window = funnel.windowSeconds * 1_000_000
        // From the last step to the first, so that one event is never two steps.
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

    /// Users by step.
    var users: [Int] {
        funnel.steps.indices.map { index in reached.values.count { $0 > index } }
    }
}
