import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The page of the feed inspector, which explains for each card and template why a user does or does not see it.
struct InspectorPages: Sendable {
    let services: ServerServices
    let cards: CardsFeature

    private struct Missing {
        let templateName: String
        let templatePath: String
        let eventName: String
        let why: String
        let remedy: String
    }

    private struct Model {
        let user: String
        let containers: [ChoiceView]
        let known: [SuggestedUser]
        let isAsked: Bool
        let isUnknown: Bool
        let shown: [InspectionRow]
        let hasShown: Bool
        let hidden: [InspectionRow]
        let hasHidden: Bool
        let missing: [Missing]
        let hasMissing: Bool
        let shownText: String
        let userPath: String
        let path: String
    }

    static func routes(_ services: ServerServices, _ cards: CardsFeature) -> [WorkbenchRoute] {
        let pages = InspectorPages(services: services, cards: cards)
        return [.page("e/:environment/cards/inspector") { try await pages.show($0) }]
    }

    private func show(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID
        let containers = try await cards.containers.list(environmentID)
        // One code point more than an id can have, so that a longer text is not cut to the id of another user.
        let user = UserID(request.query.trimmed("user").prefix(scalars: IDRule.maximumBytes + 1))
        let wanted = containers.first { $0.id.rawValue == request.query["container"] } ?? containers.first
        let users = try await services.users.users(environmentID, limit: 500)
        let isKnown = user.isEmpty ? false : try await services.users.user(environmentID, user) != nil
        var inspected: [CardInspection] = [], missing: [MissingTemplate] = []
        if isKnown, let wanted {
            inspected = try await cards.inspector.cards(environmentID, user, containerID: wanted.id)
            missing = try await cards.inspector.missing(environmentID, user, containerID: wanted.id)
        }
        let shown = inspected.filter(\.isShown).sorted {
            ($0.priority, $1.createdAt) < ($1.priority, $0.createdAt)
        }
        let hidden = inspected.filter { !$0.isShown }
        let model = Model(
            user: user.rawValue,
            containers: ChoiceView.list(
                containers.map { ($0.id.rawValue, $0.name) }, chosen: wanted?.id.rawValue ?? ""),
            known: users.map { SuggestedUser($0) },
            isAsked: !user.isEmpty,
            isUnknown: !user.isEmpty && !isKnown, shown: shown.map { InspectionRow($0, for: request) },
            hasShown: !shown.isEmpty, hidden: hidden.map { InspectionRow($0, for: request) },
            hasHidden: !hidden.isEmpty,
            missing: missing.map { Self.missing($0, wanted?.name ?? "", request) },
            hasMissing: !missing.isEmpty,
            shownText: "\(Count.of(shown.count, "card")) in “\(wanted?.name ?? "")” now",
            userPath: request.address("users", user.rawValue), path: request.address("cards", "inspector"))
        return .page("Feed inspector", "cards/inspector", model)
    }

    private static func missing(
        _ template: MissingTemplate, _ container: String, _ request: WorkbenchRequest
    ) -> Missing {
        let (why, remedy) =
            switch template.reason {
            case .notPublished: ("It was never published.", "Publish it, then send it.")
            case .switchedOff: ("It is switched off, so events create no cards.", "Switch it on.")
            case .notInContainer:
                ("Its cards appear in other containers.", "Select “\(container)” in its delivery settings.")
            case .notSent:
                ("No event “\(template.eventName)” has reached this user, or its card is closed.", "Send it.")
            }
        return Missing(
            templateName: template.name,
            templatePath: request.address("cards", "templates", template.id.rawValue),
            eventName: template.eventName, why: why, remedy: remedy)
    }
}
