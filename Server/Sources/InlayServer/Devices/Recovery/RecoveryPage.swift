import InlayWire

/// What one page of the recovery shows.
struct RecoveryPage: Sendable {
    let title: String
    let appName: String
    let logoPath: String?
    var words: String?
    var fault: String?
    var faultHint: String?
    var hasForm = false
    var action = ""
    var asksForEmail = false
    var asksForCode = false
    var email = ""
    /// Names the request that had the code mailed.
    var request = ""
    var code = ""
    var rule = ""
    var button = ""
    var otherPath: String?
    var otherLabel = ""
    var csrf = ""

    private init(_ title: String, _ application: DeviceApplication) {
        self.title = title
        appName = application.name
        logoPath = application.hasLogo ? "/recover/\(application.id)/logo" : nil
    }

    static func askForEmail(_ application: DeviceApplication) -> RecoveryPage {
        var page = RecoveryPage("Forgot your password?", application)
        page.words = "Type the address of your account. We send a code to it."
        (page.hasForm, page.asksForEmail, page.button) = (true, true, "Send the code")
        page.action = InlayPath.recoverPassword(application: application.id)
        page.otherPath = InlayPath.recoverUsername(application: application.id)
        page.otherLabel = "I forgot which address I used"
        return page
    }

    static func askForCode(
        _ application: DeviceApplication, email: String = "", request: String = ""
    ) -> RecoveryPage {
        var page = RecoveryPage("Choose a new password", application)
        page.words = "If there is an account with this address, a mail with a code is on its way to it."
        (page.hasForm, page.asksForCode, page.button) = (true, true, "Set the password")
        page.action = InlayPath.recoverPassword(application: application.id) + "/code"
        page.email = email
        page.request = request
        page.rule = "At least \(application.shortestPassword) characters. A few words make a good one."
        page.otherPath = InlayPath.recoverPassword(application: application.id)
        page.otherLabel = "Send another code"
        return page
    }

    static func passwordSet(_ application: DeviceApplication) -> RecoveryPage {
        var page = RecoveryPage("Your password is set", application)
        page.words = "Every phone was logged out. Go back to the app and log in with the new password."
        return page
    }

    static func askForUsername(_ application: DeviceApplication) -> RecoveryPage {
        var page = RecoveryPage("Which address did you use?", application)
        page.words =
            "Type an address that may be yours. If it has an account, we send a mail to it that says so."
        (page.hasForm, page.asksForEmail, page.button) = (true, true, "Send the mail")
        page.action = InlayPath.recoverUsername(application: application.id)
        page.otherPath = InlayPath.recoverPassword(application: application.id)
        page.otherLabel = "I know the address and forgot the password"
        return page
    }

    static func usernameSent(_ application: DeviceApplication) -> RecoveryPage {
        var page = RecoveryPage("Look into your mails", application)
        page.words =
            "If the address has an account, a mail that says so is on its way. If none comes, try another."
        page.otherPath = InlayPath.recoverUsername(application: application.id)
        page.otherLabel = "Try another address"
        return page
    }

    /// The same page after a fault; a password is never typed back.
    func with(_ form: FormFields, _ problem: Problem) -> RecoveryPage {
        var page = self
        page.email = String(form.trimmed("email").prefix(254))
        page.code = String(form.trimmed("code").prefix(64))
        page.request = String(form.trimmed("request").prefix(64))
        (page.fault, page.faultHint) = (problem.title, problem.detail)
        return page
    }
}
