/// A name and its value, for a list of facts.
struct Fact {
    let factName: String
    let factValue: String
}

/// A suggestion where a user's id is asked for.
struct KnownUser {
    let userID: String
    let userName: String

    init(_ user: User) {
        userID = user.id
        userName = user.profile.text("name") ?? ""
    }
}
