import InlayServerCore
@_spi(Inlay) import InlayWire

/// The check of an event or a cancellation before it has any effect; it reports all faults together.
enum CardEventCheck {
    static func validate(_ request: CardEventRequest, at now: Timestamp) throws {
        var errors = FieldErrors()
        if let id = request.id { checkID(id.rawValue, "id", &errors) }
        if let id = request.lifecycleID { checkID(id.rawValue, "lifecycleId", &errors) }
        checkID(request.name, "name", &errors)
        if let priority = request.priority, !(1...10).contains(priority) {
            errors.add("priority", "From 1 (first) to 10 (last).")
        }
        checkTarget(request.target, &errors)
        checkTimes(request, now, &errors)
        if let containers = request.containerIDs {
            if containers.isEmpty || containers.count > CardLimits.containers {
                errors.add("containerIds", "From 1 to \(CardLimits.containers).")
            } else if Set(containers).count != containers.count {
                errors.add("containerIds", "A container is named twice.")
            }
        }
        if let count = request.variables?.count, count > CardLimits.variables {
            errors.add("variables", "At most \(CardLimits.variables).")
        }
        try errors.throwIfAny()
    }

    static func validate(_ request: CardCancelRequest) throws {
        var errors = FieldErrors()
        checkID(request.lifecycleID.rawValue, "lifecycleId", &errors)
        if let target = request.target { checkTarget(target, &errors) }
        try errors.throwIfAny()
    }

    /// Whether a text is valid as an id that a sender or a device chose, and can be stored in the database.
    static func isID(_ text: String) -> Bool { IDRule.admits(text) }

    private static func checkID(_ text: String, _ field: String, _ errors: inout FieldErrors) {
        if !isID(text) { errors.add(field, "1 to 128 characters, without control characters.") }
    }

    private static func checkTarget(_ target: UserTarget, _ errors: inout FieldErrors) {
        switch target {
        case .all: break
        case .segment(let id):
            if (try? Limits.id(id, "")) == nil { errors.add("target.segment", "Not the id of a segment.") }
        case .users(let users):
            if users.isEmpty || users.count > CardLimits.namedUsers {
                errors.add("target.users", "From 1 to \(CardLimits.namedUsers) users.")
            }
            if let index = users.firstIndex(where: { !isID($0.rawValue) }) {
                errors.add("target.users[\(index)]", "1 to 128 characters, without control characters.")
            }
        case .profile(let field, let value):
            if !CardLink.isIdentifier(field) {
                errors.add("target.profile.field", "Not the name of a field.")
            }
            if value.utf8.count > UserProfile.maximumValueLength || value.utf8.contains(0) {
                errors.add(
                    "target.profile.value", "At most \(UserProfile.maximumValueLength) bytes of UTF-8.")
            }
        }
    }

    private static func checkTimes(
        _ request: CardEventRequest, _ now: Timestamp, _ errors: inout FieldErrors
    ) {
        let furthest = now + .seconds(CardLimits.daysAhead * 86_400)
        if let embargo = request.embargoUntil, embargo > furthest {
            errors.add("embargoUntil", "At most \(CardLimits.daysAhead) days ahead.")
        }
        guard let expiry = request.expiresAt else { return }
        if expiry <= now { errors.add("expiresAt", "This moment has passed.") }
        if expiry > furthest { errors.add("expiresAt", "At most \(CardLimits.daysAhead) days ahead.") }
        if let embargo = request.embargoUntil, expiry <= embargo {
            errors.add("expiresAt", "The card would end before its embargo does.")
        }
    }
}
