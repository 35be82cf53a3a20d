package import InlayServerCore

/// A name and its value in the list of facts on a page. The properties have the names that templates use.
package struct Fact {
    let factName: String
    let factValue: String

    package init(factName: String, factValue: String) {
        self.factName = factName
        self.factValue = factValue
    }
}

/// A user that a form suggests in its field for a user's id.
package struct SuggestedUser {
    let userID: UserID
    let userName: String

    package init(_ user: User) {
        userID = user.id
        userName = user.profile.text("name") ?? ""
    }
}
