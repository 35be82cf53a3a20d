import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The names of an environment's events and attributes, as suggestions for fields and to read what was entered there.
struct EventNames: Sendable {
    /// A suggestion for a field.
    struct Suggestion: Sendable {
        let suggestion: String
        let suggestionNote: String
    }

    /// The events, the most frequent first.
    let events: [Suggestion]
    let attributes: [Suggestion]
    /// The names of the events without their kinds, each once.
    let plainNames: [String]
    private let seen: [Funnel.Step]

    /// Reads the names of the last 90 days' events.
    init(_ behaviors: BehaviorsFeature, for request: WorkbenchRequest) async throws {
        let environmentID = try request.environmentID
        let found = try await behaviors.events.eventNames(
            environmentID, from: request.now + .seconds(-90 * 86_400), until: request.now + .seconds(86_400))
        self.init(
            found, attributes: try await behaviors.events.attributeNames(environmentID))
    }

    init(_ found: [(code: Int, name: String, count: Int)], attributes: [String]) {
        seen = found.map { Funnel.Step($0.code, $0.name.isEmpty ? nil : $0.name) }
        events = zip(seen, found).map {
            Suggestion(suggestion: Self.text($0), suggestionNote: Count.of($1.count, "time"))
        }
        var known: Set<String> = []
        plainNames = found.map(\.name).filter { !$0.isEmpty && known.insert($0).inserted }
        self.attributes = attributes.map { Suggestion(suggestion: $0, suggestionNote: "") }
    }

    private static let anyEvent = "Any event"

    /// Returns the text of a step: the name of an event, or for another kind for example `Session started` or
    /// `Goal completed: Ticket bought`.
    static func text(_ step: Funnel.Step) -> String {
        guard let code = EventCode(rawValue: step.code) else { return "\(step.code)" }
        guard let name = step.name else { return code == .namedEvent ? anyEvent : code.label }
        guard code == .namedEvent, exact(name) == nil else { return "\(code.label): \(name)" }
        return name
    }

    /// Returns the step that a text names: one in the form of ``text(_:)``, else a stored event or goal by its name,
    /// ignoring case, else an event that has not arrived yet.
    func step(_ text: String) -> Funnel.Step {
        if let step = Self.exact(text) { return step }
        func matching(_ isSame: (String) -> Bool) -> Funnel.Step? {
            let same = seen.filter { $0.name.map(isSame) ?? false }
            return same.first { $0.code == EventCode.namedEvent.rawValue }
                ?? same.first { $0.code == EventCode.goalCompleted.rawValue } ?? same.first
        }
        return matching { $0 == text } ?? matching { $0.lowercased() == text.lowercased() }
            ?? Funnel.Step(EventCode.namedEvent.rawValue, text)
    }

    /// Returns whether events that match the step's kind and name have arrived.
    func hasSeen(_ step: Funnel.Step) -> Bool {
        seen.contains { $0.code == step.code && (step.name == nil || $0.name == step.name) }
    }

    /// Returns the step of a text that contains its kind; `nil` for the plain name of an event.
    private static func exact(_ text: String) -> Funnel.Step? {
        if text == anyEvent { return Funnel.Step(EventCode.namedEvent.rawValue) }
        for code in EventCode.allCases {
            if text == code.label, code != .namedEvent { return Funnel.Step(code.rawValue) }
            if text.hasPrefix("\(code.label): ") {
                let name = text.dropFirst(code.label.count + 2)
                return Funnel.Step(code.rawValue, name.isEmpty ? nil : String(name))
            }
        }
        return nil
    }
}
